#include "cli/commands.hpp"
#include "cli/launching.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/tuning/gains.hpp"
#include "cli/tuning/tune_options.hpp"
#include "cli/tuning/write_tuned.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/interruptions.hpp>
#include <postage/launch/launch.hpp>
#include <postage/report/decision_map.hpp>
#include <postage/tuning/held_out.hpp>
#include <postage/tuning/tune.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace postage {
namespace {

/// How far the command is, on one line of a terminal.
class TuningProgress {
 public:
  TuningProgress() : is_shown_(isatty(STDERR_FILENO) != 0) {}
  ~TuningProgress() { erase(); }
  TuningProgress(const TuningProgress&) = delete;
  TuningProgress& operator=(const TuningProgress&) = delete;
  void show(const std::string& what, double share) {
    if (is_shown_) {
      const std::string line = fmt::format("tuning: {:.0f} %, {}", 100 * share, what);
      print_remark("\r{:{}}", line, width_);
      std::fflush(stderr);
      width_ = std::max(width_, line.size());
    }
  }
  void remark(const std::string& sentence) const {
    erase();
    print_remark("postage: {}\n", sentence);
  }

 private:
  void erase() const {
    if (width_ > 0) {
      print_remark("\r{:{}}\r", "", width_);
    }
  }
  bool is_shown_;
  std::size_t width_ = 0;
};

/// What `postage measure` would be called with.
std::vector<std::string> measuring_command(const TuneOptions& options, const std::filesystem::path& platform) {
  const LaunchOptions& launch = options.launch;
  std::vector<std::string> command{
      std::filesystem::read_symlink("/proc/self/exe").string(), "measure", "-o", platform.string(), "--models", "flow"};
  const std::vector<std::pair<const char*, std::string>> given{
      {"--mpi", launch.mpi},           {"--launcher", launch.launcher},
      {"--hostfile", launch.hostfile}, {"--ranks", launch.ranks > 0 ? std::to_string(launch.ranks) : ""},
      {"--lab", launch.lab},           {"--virtual", launch.virtual_name}};
  for (const auto& [option, value] : given) {
    if (!value.empty()) {
      command.insert(command.end(), {option, value});
    }
  }
  const std::vector<std::string> measuring = words_of(launch.measuring);
  command.insert(command.end(), measuring.begin(), measuring.end());
  for (const std::string& argument : launch.smpi_arguments) {
    command.insert(command.end(), {"--smpi-arg", argument});
  }
  return command;
}

/// The platform given, or that of an earlier run that was interrupted, or one that is measured now.
Platform platform_of(const TuneOptions& options, TuningProgress& progress) {
  if (!options.platform.empty()) {
    Platform platform = read_platform(options.platform);
    const auto ranks = static_cast<int>(platform.ranks.size());
    if (options.launch.ranks > 0 && options.launch.ranks != ranks) {
      throw UsageError(fmt::format("--ranks {}: {} has {}, and others are chosen by --nodes and --per-node",
                                   options.launch.ranks, options.platform, ranks));
    }
    check_cluster(options, platform);
    check_mpi(options, platform);
    return platform;
  }
  const std::filesystem::path own = std::filesystem::path(options.output) / "platform.json";
  if (!std::filesystem::exists(own)) {
    constexpr Seconds kMeasuringLimit = 3600;
    progress.show("measuring the platform", 0);
    // An interruption kills `postage measure`, too: its temporary files are in this command's folder.
    const TemporaryFolder folder;
    const RunHooks hooks{.environment = {"TMPDIR=" + folder.path().string()}};
    static_cast<void>(run_command(measuring_command(options, own), kMeasuringLimit, hooks));
  }
  return read_platform(own);
}

std::filesystem::path decisions_file(const TuneOptions& options, TuningTarget target) {
  return std::filesystem::path(options.output) / fmt::format("decisions-{}.json", name_of(target));
}

/// Before minutes of measuring. An interrupted run has written no decisions yet.
void check_nothing_decided(const TuneOptions& options) {
  for (const TuningTarget target : {TuningTarget::kOpenMpi, TuningTarget::kMpich, TuningTarget::kUcc,
                                    TuningTarget::kIntelMpi, TuningTarget::kSmpi, TuningTarget::kPreload}) {
    const std::filesystem::path file = decisions_file(options, target);
    if (std::filesystem::exists(file)) {
      throw UsageError(
          fmt::format("{} exists; give --force to replace it, or another folder with --output", file.string()));
    }
  }
}

void begin_anew(const TuneOptions& options) {
  std::filesystem::remove_all(std::filesystem::path(options.output) / "state");
  std::filesystem::remove(std::filesystem::path(options.output) / "platform.json");
}

TuneRequest request_for(const TuneOptions& options, const LibraryRelease& wanted, const Platform& platform,
                        TuningProgress& progress) {
  TuneRequest request{.target = wanted.target,
                      .version = wanted.version,
                      .selector = options.selector,
                      .jobs = jobs_of(options, platform),
                      .collectives = collectives_of(options),
                      .sizes = parse_sizes(options.sizes),
                      .exhaustive = options.exhaustive,
                      .budget = parse_seconds(options.tuning_budget),
                      .state = std::filesystem::path(options.output) / "state"};
  std::sort(request.sizes.begin(), request.sizes.end());
  if (!options.guidelines.empty()) {
    request.suspected = read_violations(options.guidelines);
  }
  request.tell = [&progress](const std::string& what, double share) {
    InterruptionCounter::check();
    progress.show(what, share);
  };
  request.remark = [&progress](const std::string& sentence) { progress.remark(sentence); };
  return request;
}

/// Where a job of the library is started: beside others of that library's own launcher.
LaunchTarget target_for(const TuneOptions& options, TuningTarget library, const TuningJob& job,
                        const TemporaryFolder& folder) {
  LaunchOptions launch = options.launch;
  launch.ranks = job.ranks();
  if (library == TuningTarget::kSmpi && launch.virtual_name.empty()) {
    throw UsageError("the platform is a simulated one; name it with --virtual, so that algorithms can be timed there");
  }
  if (launch.mpi.empty() && library != TuningTarget::kSmpi) {
    launch.mpi = name_of(library);
  }
  return launch_target(launch, folder.path());
}

void print_held_out(const TuneOptions& options, const std::vector<HeldOutRow>& rows) {
  write_json(options.held_out, to_json(rows));
  const HeldOutSummary s = summarise_held_out(rows);
  print_remark(
      "postage: at {} points that were not measured before, {} of them with a rule: tuned/default at most {:.3f}; "
      "speed-up {:.2f}x in the median, {:.2f}x at 95 %; over the best of all algorithms {:.2f} % in the median, "
      "{:.2f} % at 95 %\n",
      s.points, s.ruled, s.worst, s.median_speedup, s.percentile95_speedup, 100 * s.median_regret,
      100 * s.percentile95_regret);
}

DecisionTable decide(const TuneOptions& options, const LibraryRelease& wanted, const Platform& platform,
                     TuningProgress& progress) {
  const TemporaryFolder folder;
  const TuneRequest request = request_for(options, wanted, platform, progress);
  const std::optional<LibraryRelease> found = library_of(platform.implementation);
  if (!found || found->target != wanted.target || found->version != wanted.version) {
    return decide_by_prediction(request, platform);
  }
  const auto target_of = [&](const TuningJob& job) { return target_for(options, wanted.target, job, folder); };
  DecisionTable table = tune(request, platform, target_of);
  if (!options.held_out.empty()) {
    progress.show("timing what was not measured", 1);
    print_held_out(options, time_held_out(request, platform, table, target_of));
  }
  return table;
}

std::vector<DecisionTable> decide_for_all(const TuneOptions& options) {
  TuningProgress progress;
  std::vector<DecisionTable> tables;
  try {
    const Platform platform = platform_of(options, progress);
    for (const LibraryRelease& target : wanted_targets(options, platform)) {
      tables.push_back(decide(options, target, platform, progress));
    }
  } catch (const Interrupted&) {
    throw Interrupted(
        fmt::format("tuning was interrupted; the same command goes on with what was measured, in {}", options.output));
  }
  return tables;
}

/// Before the platform is measured: what times the library's algorithms is another program.
void check_programs(const TuneOptions& options) {
  if (options.platform.empty()) {
    const TemporaryFolder folder;
    LaunchTarget target = launch_target(options.launch, folder.path());
    target.program = options.launch.virtual_name.empty() ? "postage-choices" : "postage-batch";
    static_cast<void>(launch_command(target, {}));
  }
}

void run(const TuneOptions& options) {
  check_tune_options(options);
  check_output_folder("--output", options.output);
  check_output_file("--held-out", options.held_out);
  if (!options.guidelines.empty()) {
    static_cast<void>(read_violations(options.guidelines));
  }
  if (options.force) {
    begin_anew(options);
  } else {
    check_nothing_decided(options);
  }
  check_programs(options);
  const InterruptionCounter interruptions;
  const std::vector<DecisionTable> tables = decide_for_all(options);
  Json all = Json::array();
  for (const DecisionTable& table : tables) {
    const std::filesystem::path file = decisions_file(options, table.target());
    write_json(file, to_json(table));
    if (!table.cells.empty()) {
      write_file(std::filesystem::path(file).replace_extension(".svg"), draw_decisions(table));
    }
    all.push_back(to_json(table));
    if (!options.json) {
      print_gains(table);
    }
  }
  if (options.json) {
    fmt::print("{}\n", all.dump(1));
  }
  write_tuned(tables, options.output);
}

}  // namespace

void add_tune_command(Command& app) {
  Command command = app.subcommand("tune", "Find out which algorithms an MPI library had better use, and when");
  const auto options = std::make_shared<TuneOptions>();
  command.option("-o,--output", options->output, "Folder to write decisions and tuning files into").with_default();
  command.option("--platform", options->platform, "Platform file (see postage measure); by default it is measured");
  command.option("--nodes", options->nodes,
                 "Numbers of nodes, of which the largest is used; by default the platform's");
  command.option("--per-node", options->per_node, "Ranks on each node, several with commas; by default the platform's");
  command.option("--for", options->targets,
                 "Libraries to decide for: openmpi, mpich, ucc, intel, preload, with a version as in openmpi:5.0.7; by "
                 "default the one found");
  command.option("--sizes", options->sizes, "Message sizes to measure at").with_default();
  command.option("--collectives", options->collectives, "Collectives, like bcast,allreduce, or all").with_default();
  command
      .option("--tuning-budget", options->tuning_budget,
              "Time for measuring the library's algorithms, like 60s or 5min; a simulation takes what it takes")
      .with_default();
  command.option("--selector", options->selector, "SMPI's decisions to compare with")
      .with_default()
      .one_of({"default", "ompi", "mpich", "mvapich2", "impi"});
  command.option("--held-out", options->held_out,
                 "JSON file to write: what the decisions give at sizes and numbers of ranks that were not measured, "
                 "beside the default and everything that the library can do");
  command.option("--guidelines", options->guidelines,
                 "What postage guidelines -o wrote: where one is violated, what would mend it is measured, too");
  command.flag("--exhaustive", options->exhaustive,
               "Measure every algorithm, segment and fan-out at every size, not only those predicted to be fast");
  command.flag("--force", options->force, "Begin anew, and replace files");
  add_launch_options(command, options->launch);
  command.flag("--json", options->json, "Print the decisions as JSON");
  command.not_with("--platform", setting_option_names());
  command.only_with({"--virtual"}, {"--selector"});
  command.footer(
      "An interrupted run goes on where it stopped when it is called again.\n"
      "Examples:\n"
      "  postage tune -o tuned/\n"
      "  postage tune --platform mpich.json --mpi mpich -o tuned/\n"
      "  postage tune --virtual seed:16 --selector mvapich2 -o tuned/");
  command.action([options] { run(*options); });
}

}  // namespace postage
