#pragma once

#include <postage/launch/launch.hpp>
#include <postage/tuning/proof.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace postage {

/// A collective among the first so many ranks of a job, as postage-prove takes it: "bcast:4:1024".
[[nodiscard]] std::string traced_word(Collective collective, Rank ranks, Bytes bytes);

/// What ran in calls.
struct Tracing {
  std::map<std::string, std::vector<SeenAlgorithm>> seen{};  ///< by the call's word
  std::string failure{};                                     ///< why the job ended early
};

/// Makes each call once on the ranks of `job`, whose program is of no account, with the settings of `folder`/env.sh or,
/// where that is empty, without any. Throws Error where the tracer is missing, Interrupted.
[[nodiscard]] Tracing trace_calls(TuningTarget target, LaunchTarget job, const std::filesystem::path& folder,
                                  const std::vector<std::string>& words, Seconds time_limit);

/// True where the target's algorithms can be seen here, and this release of it is the one that is installed.
[[nodiscard]] bool can_trace(TuningTarget target, const LibraryVersion& version);

}  // namespace postage
