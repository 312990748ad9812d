#include "cli/commands.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/output_file.hpp"
#include "cli/tables/rankings.hpp"

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

struct CompareOptions {
  JobCommand job;
  std::string segments = kUsualSegments;
  std::size_t top = 5;
  std::string svg;
};

void run(CompareOptions options) {
  check_output_file("--svg", options.svg);
  check_comparable(options.job);
  take_counts(options.job);
  const JobPlatform platform = resolve_platform(options.job);
  options.job.ranks = resolve_ranks(options.job, platform);
  const auto [rankings, left_out] = rank_job(options.job, platform, options.segments);
  print_left_out(left_out);
  if (!options.svg.empty()) {
    write_file(options.svg, draw_curves(fmt::format("{}, P = {}, predicted", options.job.collective, options.job.ranks),
                                        curves_of(rankings, platform.models.size() > 1)));
  }
  if (options.job.json) {
    fmt::print("{}\n", with_choice(to_json(rankings, options.job.collective, options.job.ranks), platform).dump(1));
    return;
  }
  fmt::print("{} among {} ranks\n", options.job.collective, options.job.ranks);
  print_rankings(rankings, options.top);
  print_choice(platform);
  print_limits(options.job, platform);
  if (!options.svg.empty()) {
    fmt::print("wrote {}\n", options.svg);
  }
}

}  // namespace

void add_compare_command(Command& app) {
  Command command = app.subcommand("compare", "Rank algorithms and segment sizes by predicted time");
  const auto options = std::make_shared<CompareOptions>();
  add_job_options(command, options->job, JobUse::kCompare);
  command.option("--segments", options->segments, "Segment sizes in bytes to compare; 0 sends whole messages")
      .with_default();
  command.option("--top", options->top, "How many candidates to print for each size").with_default().range(1, 1000);
  command.option("--svg", options->svg, "SVG file to write: time over message size for each algorithm");
  command.not_with("--json", {"--top"});
  command.footer(
      "Example:\n"
      "  postage compare bcast -P 64 -m 1K:4M:x4 --model loggp --params L=5us,o=1us,g=2us,G=1ns --svg bcast.svg");
  command.action([options] { run(*options); });
}

}  // namespace postage
