#include "tuning/prove/tracing.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/tuning/retarget.hpp>

#include <fmt/format.h>

#include <utility>

namespace postage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "postage-prove";
constexpr const char* kOpenMpiTracer = "libpostage-trace-openmpi.so";

std::vector<std::string> tracing_command(TuningTarget target, LaunchTarget job, const fs::path& folder,
                                         const std::vector<std::string>& words) {
  job.program = kProgram;
  if (target == TuningTarget::kOpenMpi) {
    const fs::path tracer = find_built(kOpenMpiTracer);
    if (tracer.empty()) {
      throw Error(fmt::format("{} is not beside postage nor in libexec; run make build", kOpenMpiTracer));
    }
    job.launcher_options.insert(job.launcher_options.end(), {"-x", "LD_PRELOAD=" + tracer.string()});
  }
  const char* const script =
      folder.empty() ? "exec \"$@\"" : "POSTAGE_NODES=1; POSTAGE_TUNED=\"$0\"; . \"$0/env.sh\"; exec \"$@\"";
  std::vector<std::string> command{"sh", "-c", script, folder.string()};
  const std::vector<std::string> launch = launch_command(job, words);
  command.insert(command.end(), launch.begin(), launch.end());
  return command;
}

}  // namespace

std::string traced_word(Collective collective, Rank ranks, Bytes bytes) {
  return fmt::format("{}:{}:{}", name_of(collective), ranks, bytes);
}

Tracing trace_calls(TuningTarget target, LaunchTarget job, const fs::path& folder,
                    const std::vector<std::string>& words, Seconds time_limit) {
  constexpr std::string_view kMark = "postage-proof\t";
  Tracing tracing;
  const TemporaryFolder own_files;
  RunHooks hooks{.environment = {"TMPDIR=" + own_files.path().string()}};
  hooks.error_line = [&](std::string_view line) {
    const auto at = line.find(kMark);
    const auto tab = at == std::string_view::npos ? at : line.find('\t', at + kMark.size());
    if (tab == std::string_view::npos) {
      return false;
    }
    tracing.seen[std::string(line.substr(at + kMark.size(), tab - at - kMark.size()))] =
        parse_trace(line.substr(tab + 1));
    return true;
  };
  const std::vector<std::string> command = tracing_command(target, std::move(job), folder, words);
  try {
    (void)run_command(command, time_limit, hooks);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& failure) {
    tracing.failure = failure.what();
  }
  return tracing;
}

bool can_trace(TuningTarget target, const LibraryVersion& version) {
  const auto here = installed_version(target);
  return here && is_same_release(*here, version) &&
         !find_built(fmt::format("{}-{}", kProgram, name_of(target))).empty();
}

}  // namespace postage
