#include "cli/commands.hpp"
#include "cli/job.hpp"
#include "cli/model_choice.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/predict/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace postage {
namespace {

struct Row {
  std::string collective;
  std::string algorithm;
  Rank ranks = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  std::string model;
  Prediction prediction;
  bool extrapolated = false;
  std::string_view evaluator = "timeline";
};

std::vector<Row> predict_messages(const JobOptions& options, const JobPlatform& platform) {
  const auto limit = platform.map.is_single() ? std::numeric_limits<Rank>::max()
                                              : static_cast<Rank>(platform.map.mapping().capacity());
  if (options.source < 0 || options.target < 0 || options.source >= limit || options.target >= limit ||
      options.source == options.target) {
    throw UsageError(fmt::format("--src {} and --dst {} must be two different ranks from 0 to {}", options.source,
                                 options.target, limit - 1));
  }
  const Bytes stride = parse_bytes(options.stride);
  std::vector<Row> rows;
  Fitted fitted(options);
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const PlatformModel& model : platform.models) {
      if (const auto extrapolation = fitted.extrapolation(model.table(), bytes, stride)) {
        rows.push_back({"p2p", "", 2, bytes, 0, model.name(),
                        predict_message(options.source, options.target, bytes, model, stride), *extrapolation > 1});
      }
    }
  }
  fitted.tell(!rows.empty());
  return rows;
}

std::vector<Row> predict_collective(const JobOptions& options, const JobPlatform& platform) {
  std::vector<Row> rows;
  Fitted fitted(options);
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const auto& [algorithm, segment, schedule] : resolve_schedules(options, platform.map, bytes)) {
      for (const PlatformModel& model : platform.models) {
        const auto extrapolation = fitted.extrapolation(model.table(), segment > 0 ? std::min(segment, bytes) : bytes);
        if (!extrapolation) {
          continue;
        }
        const Prediction prediction = predict(schedule, model, asked_evaluator(options));
        rows.push_back({options.collective, algorithm, options.ranks, bytes, segment, model.name(), prediction,
                        *extrapolation > 1, name_of(prediction.evaluator)});
      }
    }
  }
  fitted.tell(!rows.empty());
  return rows;
}

Json to_json(const Row& row) {
  return {{"collective", row.collective},
          {"algorithm", row.algorithm},
          {"P", row.ranks},
          {"bytes", row.bytes},
          {"segment", row.segment},
          {"model", row.model},
          {"seconds", row.prediction.seconds},
          {"lower", row.prediction.lower},
          {"upper", row.prediction.upper},
          {"extrapolated", row.extrapolated},
          {"evaluator", row.evaluator}};
}

void print_rows(const std::vector<Row>& rows) {
  using Align = Table::Align;
  Table table({{"collective"},
               {"algorithm"},
               {"P", Align::kRight},
               {"size", Align::kRight},
               {"segment", Align::kRight},
               {"model"},
               {"time", Align::kRight},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {""}});
  bool any_extrapolated = false;
  bool any_rounds = false;
  for (const Row& row : rows) {
    any_extrapolated = any_extrapolated || row.extrapolated;
    any_rounds = any_rounds || row.evaluator == name_of(Evaluator::kRounds);
    table.add_row(
        {row.collective, row.algorithm, std::to_string(row.ranks), format_bytes(row.bytes),
         row.segment > 0 ? format_bytes(row.segment) : "-", row.model, format_seconds(row.prediction.seconds),
         format_seconds(row.prediction.lower),
         std::isfinite(row.prediction.upper) ? format_seconds(row.prediction.upper) : "unknown",
         (row.extrapolated ? "*" : "") + std::string(row.evaluator == name_of(Evaluator::kRounds) ? "+" : "")});
  }
  fmt::print("{}", table.render(output_width()));
  if (any_extrapolated) {
    fmt::print("* extrapolated: the model's parameters are not known for messages of this size\n");
  }
  if (any_rounds) {
    fmt::print("+ summed up round by round, not followed rank by rank\n");
  }
}

void run(JobOptions options) {
  const JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  if (options.collective != "p2p" && options.stride != "0") {
    throw UsageError("--stride is for p2p: collectives send contiguous messages");
  }
  const std::vector<Row> rows =
      options.collective == "p2p" ? predict_messages(options, platform) : predict_collective(options, platform);
  if (options.json) {
    Json list = Json::array();
    for (const Row& row : rows) {
      list.push_back(to_json(row));
    }
    fmt::print("{}\n", list.dump(1));
  } else {
    print_rows(rows);
    tell_choice(platform);
  }
}

}  // namespace

void add_predict_command(Command& app) {
  Command command = app.subcommand("predict", "Predict the time of a collective or a message");
  const auto options = std::make_shared<JobOptions>();
  add_job_options(command, *options);
  command.option("--stride", options->stride, "p2p: bytes from piece to piece of a message that lies apart")
      .with_default();
  command.footer(
      "Examples:\n"
      "  postage predict bcast --platform platform.json -m 1K:1M:x4\n"
      "  postage predict bcast --algorithm binomial -P 64 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns\n"
      "  postage predict p2p --src 0 --dst 1 -m 64K --platform platform.json");
  command.action([options] { run(*options); });
}

}  // namespace postage
