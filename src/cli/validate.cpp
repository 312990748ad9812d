#include "cli/commands.hpp"
#include "cli/estimation.hpp"
#include "cli/launching.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/suite.hpp"
#include "cli/tables/error_table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/validate/held_out.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace postage {
namespace {

struct ValidateOptions {
  LaunchOptions launch;
  std::string platform;
  std::string output = "validation.json";
  std::string sizes;
  std::vector<std::string> collectives;
  bool details = false;
  bool json = false;
  std::string suite;
  std::vector<std::string> suite_platforms;
  std::string keep;
  std::string page;
  std::string into;
  std::vector<std::string> earlier;
  std::string seeds;
  int points = RandomSuiteOptions().points;
};

/// What belongs to the other suites.
void check_suite_options(const ValidateOptions& options) {
  const bool is_random = options.suite == "random";
  if (is_random && (!options.suite_platforms.empty() || !options.page.empty())) {
    throw UsageError("--on and --page are of --suite quick and full: leave them out, or name seeds by --seeds");
  }
  if (!is_random && (!options.seeds.empty() || !options.into.empty() || options.points != ValidateOptions().points)) {
    throw UsageError("--seeds, --points and --into are of --suite random: leave them out, or name platforms by --on");
  }
}

/// The output's default is that of the suite's.
void run_suite(const ValidateOptions& options) {
  const bool is_standard = options.output == ValidateOptions().output;
  check_suite_options(options);
  if (options.suite == "random") {
    run_random_suite({.seeds = options.seeds,
                      .points = options.points,
                      .output = is_standard ? RandomSuiteOptions().output : options.output,
                      .earlier = options.earlier,
                      .keep = options.keep,
                      .into = options.into,
                      .json = options.json});
    return;
  }
  SuiteOptions suite{.scale = options.suite == "quick" ? SuiteScale::kQuick : SuiteScale::kFull,
                     .platforms = options.suite_platforms,
                     .keep = options.keep,
                     .page = options.page,
                     .earlier = options.earlier,
                     .json = options.json};
  if (!is_standard) {
    suite.output = options.output;
  }
  run_suite(suite);
}

/// Ranks and shared-memory thresholds are those of the platform, where not given.
SampleSet measure_held_out(const ValidateOptions& options, const Platform& platform) {
  LaunchOptions launch = options.launch;
  if (launch.ranks == 0) {
    launch.ranks = static_cast<int>(platform.ranks.size());
  }
  if (launch.shm) {
    setenv("POSTAGE_PLATFORM", std::filesystem::absolute(options.platform).c_str(), 1);
  }
  const HeldOutRequest request{
      .sizes = options.sizes, .collectives = options.collectives, .is_virtual = !options.launch.virtual_name.empty()};
  SampleSet samples = measure_with(launch, held_out_experiments(request, platform));
  if (samples.interrupted) {
    throw Interrupted("validating was interrupted; nothing is kept");
  }
  return samples;
}

void run(const ValidateOptions& options) {
  check_output_file("--output", options.output);
  if (!options.suite.empty()) {
    check_output_folder("--keep", options.keep);
    check_output_folder("--page", options.page);
    run_suite(options);
    return;
  }
  if (options.platform.empty()) {
    throw UsageError("give --platform FILE, the platform to validate, or --suite");
  }
  const Platform platform = read_platform(options.platform);
  if (platform.is_virtual && options.launch.virtual_name.empty()) {
    throw UsageError(fmt::format("{} is of a simulated cluster: name it with --virtual, so that it is measured again",
                                 options.platform));
  }
  const SampleSet samples = measure_held_out(options, platform);
  print_remarks(samples);
  for (const std::string& change : changes_since(platform, samples)) {
    print_remark("postage: warning: {}\n", change);
  }
  const Validation validation = validate(samples, platform);
  // What was measured is printed, whatever keeps it from being written.
  if (options.json) {
    fmt::print("{}\n", to_json(validation).dump(1));
  } else {
    print_errors(validation, options.details);
  }
  write_json(options.output, to_json(validation));
  if (!options.json) {
    fmt::print("wrote {}{}\n", options.output,
               options.details ? "" : "; --details prints the errors by collective and algorithm");
  }
}

}  // namespace

void add_validate_command(Command& app) {
  Command command = app.subcommand("validate", "Compare predictions with measurements that no parameter was fitted to");
  const auto options = std::make_shared<ValidateOptions>();
  command.option("--platform", options->platform, "Platform file to validate");
  command.option("-o,--output", options->output, "Validation file to write").with_default();
  command.option("--sizes", options->sizes,
                 "Message sizes to measure, or none; not those that the parameters were fitted to");
  command.option(
      "--collective", options->collectives,
      "A collective to measure, "
      "COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK][:ranks=P][:steps=N][:stride=SIZE][:run=SIZE], or none; "
      "may be repeated; by default every algorithm of bcast and barrier");
  command
      .option("--suite", options->suite,
              "Run the accuracy suite: every model on simulated platforms, quick or full; or on random ones")
      .one_of({"quick", "full", "random"});
  command.option("--seeds", options->seeds, "Random platforms of the suite: one seed, or FIRST:LAST");
  command.option("--points", options->points, "Collectives to run on each random platform, about")
      .with_default()
      .range(1, 100'000);
  command.option("--on", options->suite_platforms, "Platforms of the suite, like flat16,multi4x8; by default all")
      .comma_separated();
  command.option(
      "--keep", options->keep,
      "Folder to keep the platform files, samples and simulator input of the suite in; random platforms that "
      "are there are used as they are");
  command.option("--with", options->earlier, "Results of an earlier run of the suite; its platforms are not run again");
  command.option("--page", options->page, "Folder to write the page of the suite into: accuracy.md and its images");
  command.option("--into", options->into,
                 "Page to write the figures of random platforms into, in the place of those that it has");
  add_launch_options(command, options->launch);
  command.flag("--details", options->details, "Print the errors by algorithm, not only by model");
  command.flag("--json", options->json, "Print the validation as JSON");
  command.only_with({"--suite"}, {"--seeds", "--points", "--on", "--keep", "--with", "--page", "--into"});
  command.not_with("--suite", {"--platform", "--sizes", "--collective", "--details"});
  command.not_with("--suite", launch_option_names());
  command.not_with("--json", {"--details"});
  command.footer(
      "Examples:\n"
      "  postage validate --platform platform.json\n"
      "  postage validate --suite quick --on flat16,multi4x8\n"
      "  postage validate --suite random --seeds 1:12\n"
      "  postage validate --platform virtual.json --virtual mixed16 --collective bcast:binomial:96K");
  command.action([options] { run(*options); });
}

}  // namespace postage
