#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/measuring.hpp>

#include <fmt/format.h>

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

}  // namespace

Seconds measuring_time_limit(Seconds budget) {
  constexpr Seconds kStartUp = 120;
  return kStartUp + budget;
}

SampleSet run_measuring_program(const LaunchTarget& target, std::vector<std::string> arguments,
                                const MeasuringHooks& hooks) {
  const TemporaryFolder folder;
  const std::filesystem::path samples = folder.path() / "samples.json";
  const std::filesystem::path stop_file = folder.path() / "stop";
  arguments.insert(arguments.end(), {"-o", samples.string(), "--progress", "--stop-file", stop_file.string()});
  const std::vector<std::string> command = launch_command(target, arguments);
  RunHooks run{.error_line = [&](std::string_view line) { return take_progress(line, hooks.progress); },
               .lines_extend_limit = true};
  if (hooks.interrupted) {
    run.interrupted = [&] {
      hooks.interrupted();
      write_file(stop_file, "");
    };
  }
  static_cast<void>(run_command(command, target.time_limit, run));
  if (!std::filesystem::exists(samples)) {
    throw Error(fmt::format("{} ended without an error, but wrote no samples", command.front()));
  }
  return samples_from_json(read_json(samples), samples);
}

}  // namespace postage
