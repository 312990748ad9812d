#pragma once

#include <postage/job/job.hpp>
#include <postage/report/space_time.hpp>

#include <string>
#include <vector>

namespace postage {

/// A schedule that is asked for, as typed on a command line or passed from Python.
struct ScheduleOptions {
  std::string collective{};
  std::string algorithm{};
  std::string schedule{};  ///< a schedule file, instead of an algorithm, ranks and root; may be empty
  Rank ranks = 0;          ///< 0: those of the counts, else 8
  std::string size{};      ///< may be empty: the schedule file's, else 1K
  Rank root = 0;
  std::string segment = "0";
  CountOptions counts{};
  StrideOptions strides{};
  std::vector<std::string> settings{};  ///< NAME=VALUE of the algorithm's own parameters
  NodeAwareOptions node_aware{};
  MappingOptions mapping{};
  std::string platform{};  ///< a file, for the names of channels; may be empty
};

/// Resolves options.ranks and, with a schedule file, options.root. Throws UsageError or Error.
[[nodiscard]] Schedule schedule_of(ScheduleOptions& options);

/// The channel between two ranks: the platform's, else intra-node and inter-node by the mapping, else none. Throws
/// UsageError or Error.
[[nodiscard]] ChannelNamer channel_namer(const ScheduleOptions& options);

}  // namespace postage
