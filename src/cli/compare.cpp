#include "cli/commands.hpp"
#include "cli/job.hpp"
#include "cli/model_choice.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/optimize/comparison.hpp>
#include <postage/report/curves.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>

namespace postage {
namespace {

struct Options {
  JobOptions job;
  std::string segments = kUsualSegments;
  std::size_t top = 5;
  std::string svg;
};

/// The ranking under one model at one size.
struct Ranking {
  std::string model;
  Bytes bytes = 0;
  std::vector<Candidate> candidates;
};

std::vector<Ranking> rank_all(const Options& options, const JobPlatform& platform) {
  const ComparisonRequest common{
      .algorithms = resolve_algorithms(options.job, parse_collective(options.job.collective)),
      .job = {.ranks = options.job.ranks, .root = options.job.root, .parameters = parse_settings(options.job.settings)},
      .segments = parse_sizes(options.segments)};
  std::vector<Ranking> rankings;
  Fitted fitted(options.job);
  for (const PlatformModel& model : platform.models) {
    for (const Bytes bytes : resolve_sizes(options.job)) {
      if (!fitted.extrapolation(model.table(), bytes)) {
        continue;
      }
      ComparisonRequest request = common;
      request.job.bytes = bytes;
      rankings.push_back({model.name(), bytes, rank_candidates(request, model)});
    }
  }
  fitted.tell(!rankings.empty());
  return rankings;
}

double times_slower(const Candidate& candidate, const Candidate& best) {
  return best.prediction.seconds > 0 ? candidate.prediction.seconds / best.prediction.seconds : 1;
}

void print_rankings(const std::vector<Ranking>& rankings, const Options& options) {
  using Align = Table::Align;
  Table table({{"model"},
               {"size", Align::kRight},
               {"place", Align::kRight},
               {"algorithm"},
               {"segment", Align::kRight},
               {"time", Align::kRight},
               {"to the best", Align::kRight}});
  for (const Ranking& ranking : rankings) {
    const std::size_t shown = std::min(options.top, ranking.candidates.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const Candidate& candidate = ranking.candidates[i];
      table.add_row(
          {ranking.model, format_bytes(ranking.bytes), std::to_string(i + 1), std::string(candidate.algorithm->name),
           candidate.segment > 0 ? format_bytes(candidate.segment) : "-", format_seconds(candidate.prediction.seconds),
           fmt::format("{:.2f}x", times_slower(candidate, ranking.candidates.front()))});
    }
  }
  fmt::print("{} among {} ranks\n{}", options.job.collective, options.job.ranks, table.render(output_width()));
}

void print_json(const std::vector<Ranking>& rankings, const Options& options) {
  Json list = Json::array();
  for (const Ranking& ranking : rankings) {
    for (std::size_t i = 0; i < ranking.candidates.size(); ++i) {
      const Candidate& candidate = ranking.candidates[i];
      list.push_back({{"collective", options.job.collective},
                      {"P", options.job.ranks},
                      {"bytes", ranking.bytes},
                      {"model", ranking.model},
                      {"place", i + 1},
                      {"algorithm", candidate.algorithm->name},
                      {"segment", candidate.segment},
                      {"seconds", candidate.prediction.seconds},
                      {"lower", candidate.prediction.lower},
                      {"upper", candidate.prediction.upper},
                      {"ratio", times_slower(candidate, ranking.candidates.front())},
                      {"evaluator", name_of(candidate.evaluator)}});
    }
  }
  fmt::print("{}\n", list.dump(1));
}

/// A curve for each algorithm under each model, with its best segment at every size.
std::vector<DrawnCurve> curves_of(const std::vector<Ranking>& rankings, bool several_models) {
  std::vector<DrawnCurve> curves;
  std::map<std::string, std::size_t> numbers;
  for (const Ranking& ranking : rankings) {
    std::map<std::string_view, Seconds> best;
    for (const Candidate& candidate : ranking.candidates) {
      best.emplace(candidate.algorithm->name, candidate.prediction.seconds);
    }
    for (const auto& [algorithm, seconds] : best) {
      const std::string label = std::string(algorithm) + (several_models ? " (" + ranking.model + ")" : "");
      const auto [found, is_new] = numbers.emplace(label, curves.size());
      if (is_new) {
        curves.push_back({label, {}, {}});
      }
      curves[found->second].sizes.push_back(ranking.bytes);
      curves[found->second].seconds.push_back(seconds);
    }
  }
  return curves;
}

void run(Options options) {
  if (options.job.collective == "p2p") {
    throw UsageError("compare ranks the algorithms of a collective; a message has only one (see postage predict p2p)");
  }
  const JobPlatform platform = resolve_platform(options.job);
  options.job.ranks = resolve_ranks(options.job, platform);
  const std::vector<Ranking> rankings = rank_all(options, platform);
  if (!options.svg.empty()) {
    write_file(options.svg, draw_curves(fmt::format("{}, P = {}, predicted", options.job.collective, options.job.ranks),
                                        curves_of(rankings, platform.models.size() > 1)));
  }
  if (options.job.json) {
    print_json(rankings, options);
    return;
  }
  print_rankings(rankings, options);
  tell_choice(platform);
  if (!options.svg.empty()) {
    fmt::print("wrote {}\n", options.svg);
  }
}

}  // namespace

void add_compare_command(Command& app) {
  Command command = app.subcommand("compare", "Rank algorithms and segment sizes by predicted time");
  const auto options = std::make_shared<Options>();
  add_job_options(command, options->job);
  command.option("--segments", options->segments, "Segment sizes to try; 0 does not segment").with_default();
  command.option("--top", options->top, "Places to print at each size").with_default();
  command.option("--svg", options->svg, "Also draw each algorithm's time over the sizes into this file");
  command.footer(
      "Example:\n"
      "  postage compare bcast -P 64 -m 1K:4M:x4 --model loggp --params L=5us,o=1us,g=2us,G=1ns --svg bcast.svg");
  command.action([options] { run(*options); });
}

}  // namespace postage
