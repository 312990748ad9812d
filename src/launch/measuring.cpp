#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/measuring.hpp>

#include <fmt/format.h>

#include <cctype>
#include <sstream>

namespace postage {
namespace {

/// True for a line that says how far the program is; `take` is called with it.
bool take_progress(std::string_view line, const std::function<void(const CampaignProgress&)>& take) {
  const std::string_view mark = kProgressMark;
  if (!line.starts_with(mark)) {
    return false;
  }
  CampaignProgress progress;
  std::istringstream in(std::string(line.substr(mark.size())));
  if (take && in >> progress.share >> progress.repeating >> progress.budget_left) {
    take(progress);
  }
  return true;
}

/// The hosts, beside the first one, that the launcher's message names.
std::string hosts_named_in(const std::string& message, const std::vector<Node>& nodes) {
  std::string hosts;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    const std::string& name = nodes[i].name;
    const auto is_part_of_word = [&](std::size_t at) {
      return at < message.size() && (std::isalnum(static_cast<unsigned char>(message[at])) != 0 || message[at] == '-');
    };
    const std::size_t found = message.find(name);
    if (found != std::string::npos && !is_part_of_word(found + name.size()) &&
        (found == 0 || !is_part_of_word(found - 1))) {
      hosts += (hosts.empty() ? "" : ", ") + name;
    }
  }
  return hosts;
}

/// What a job that ended early had measured.
SampleSet kept_of(const std::filesystem::path& unfinished, const Error& error) {
  SampleSet samples = samples_from_json(read_json(unfinished), unfinished);
  const std::string hosts = hosts_named_in(error.what(), samples.nodes);
  samples.ended_early = hosts.empty() ? fmt::format("the job ended early: {}", error.what())
                                      : fmt::format("the job ended early, {} vanished: {}", hosts, error.what());
  return samples;
}

constexpr const char* kNameThePmi =
    "with Slurm name the process management interface that this MPI was built with: most often srun --mpi=pmix for "
    "Open MPI and --mpi=pmi2 for MPICH; srun --mpi=list shows what there is";

/// Throws what Open MPI's long text comes to where it does not know its launcher.
void throw_unknown_launcher(const Error& error, const std::string& launcher) {
  const std::string_view said = error.what();
  if (said.find("OMPI was not built with SLURM") != std::string_view::npos) {
    throw Error(fmt::format("{} started Open MPI without an interface that it knows: {}", launcher, kNameThePmi));
  }
}

/// Ranks that do not find one another are jobs of one rank, all of which write the same file.
void check_found_one_another(const SampleSet& samples, const std::string& launcher) {
  if (samples.ranks.size() < 2) {
    throw Error(fmt::format("{} started one rank, or several that do not find one another, and messages need two: {}",
                            launcher, kNameThePmi));
  }
}

}  // namespace

Seconds measuring_time_limit(Seconds budget) {
  constexpr Seconds kStartUp = 120;
  return kStartUp + budget;
}

Seconds longest_silence(const LaunchTarget& target) {
  constexpr Seconds kOfSimulation = 3600;
  return target.virtual_platform.empty() ? target.time_limit : std::max(target.time_limit, kOfSimulation);
}

SampleSet run_measuring_program(const LaunchTarget& target, std::vector<std::string> arguments,
                                const MeasuringHooks& hooks) {
  const TemporaryFolder folder;
  const std::filesystem::path samples = folder.path() / "samples.json";
  const std::filesystem::path stop_file = folder.path() / "stop";
  arguments.insert(arguments.end(), {"-o", samples.string(), "--progress", "--stop-file", stop_file.string()});
  const std::vector<std::string> command = launch_command(target, arguments);
  std::string last_words;
  RunHooks run{.error_line =
                   [&](std::string_view line) {
                     const bool is_progress = take_progress(line, hooks.progress);
                     // Those of the program; a simulator goes on to speak.
                     last_words = line.starts_with("postage") && !is_progress ? line : last_words;
                     return is_progress;
                   },
               .lines_extend_limit = true};
  if (!target.virtual_platform.empty()) {
    // SMPI's copies of the program, one for each rank, so that they never outlive the samples. On other nodes, where
    // ranks of a real MPI may be, there is no such folder.
    run.environment = {"TMPDIR=" + folder.path().string()};
  }
  if (hooks.interrupted) {
    run.interrupted = [&] {
      hooks.interrupted();
      write_file(stop_file, "");
    };
  }
  try {
    static_cast<void>(run_command(command, longest_silence(target), run));
  } catch (const Error& error) {
    const std::filesystem::path unfinished = samples.string() + kUnfinishedSuffix;
    if (!std::filesystem::exists(unfinished)) {
      throw_unknown_launcher(error, command.front());
      throw;
    }
    return kept_of(unfinished, error);
  }
  if (!std::filesystem::exists(samples)) {
    throw Error(fmt::format("{} ended without an error, but wrote no samples{}{}", command.front(),
                            last_words.empty() ? "" : ": ", last_words));
  }
  SampleSet all = samples_from_json(read_json(samples), samples);
  check_found_one_another(all, command.front());
  return all;
}

}  // namespace postage
