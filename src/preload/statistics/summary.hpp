#pragma once

#include "preload/statistics/gain.hpp"
#include "preload/statistics/profile.hpp"
#include "preload/statistics/timed_calls.hpp"

#include <optional>
#include <vector>

namespace postage::preload {

/// Calls of one name and size on all ranks.
struct SizeSummary {
  SizeClass size{0};
  CallTotals own{};                                   ///< by the library's own algorithm
  CallTotals replaced{};                              ///< by ours
  std::map<std::string, std::uint64_t> algorithms{};  ///< calls by the algorithms that replaced them

  std::vector<CallTime> times{};  ///< of calls whose times on all ranks are known

  /// Of the library's own calls, and of ours but for probes. Nothing where less than two were timed.
  [[nodiscard]] std::optional<TypicalTime> own_time() const;
  [[nodiscard]] std::optional<TypicalTime> replaced_time() const;
  /// Of calls that were carried out alike at least twice; nothing where one of these times is not known.
  [[nodiscard]] std::optional<Gain> gained() const;
};

struct CallSummary {
  Entry entry = Entry::kBarrier;
  std::vector<SizeSummary> sizes{};

  [[nodiscard]] CallTotals total() const;
  [[nodiscard]] std::uint64_t replaced() const;
};

/// A program's profile: what is printed and written.
struct Summary {
  std::string library{};
  std::int32_t ranks = 1;
  std::int32_t nodes = 1;
  bool more_ranks_than_cores = false;
  Seconds program = 0;  ///< mean over the ranks, as all times here
  Seconds communication = 0;
  Seconds least_communication = 0;  ///< of any rank
  Seconds most_communication = 0;
  std::vector<CallSummary> calls{};
  MessageSizes point_to_point{};
  MessageSizes collective{};
};

[[nodiscard]] Summary summarise(const JobRank& job, std::int32_t nodes, const std::vector<Counts>& ranks,
                                const CallTimes& times = {});

/// Messages by the sizes of Chai et al., IPDPS 2008, Table 1: below 1K, to 32K, to 1M, above.
struct SizeShare {
  const char* label;
  std::uint64_t messages;
};
[[nodiscard]] std::array<SizeShare, 4> sizes_of_table_1(const MessageSizes& sizes);

/// What is printed.
[[nodiscard]] std::string table_of(const Summary& summary);
/// docs/profiling.md describes the fields.
[[nodiscard]] std::string json_of(const Summary& summary);

}  // namespace postage::preload
