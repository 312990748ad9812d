#pragma once

#include "tuning/lint/findings.hpp"

#include <postage/tuning/library.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

inline constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

/// Sizes for which coll/tuned takes a rule: none where last < first.
struct TunedSpan {
  std::int64_t first = 0;
  std::int64_t last = kNoEnd;
  [[nodiscard]] bool is_empty() const { return last < first; }
};

/// A rule, whatever file it is from.
struct TunedRule {
  int line = 1;
  std::int64_t size = 0;  ///< as written
  TunedSpan bytes{};      ///< where it holds
  std::int64_t algorithm = 0;
  std::int64_t fan_out = 0;
  std::int64_t segment = 0;
  std::int64_t requests = 0;
};

struct TunedBlock {
  int line = 1;
  std::int64_t size = 0;  ///< ranks as written
  TunedSpan ranks{};      ///< where it holds
  std::vector<TunedRule> rules{};
};

/// The rules of a collective.
struct TunedSection {
  int line = 1;
  int collective = 0;  ///< Open MPI's number
  std::vector<TunedBlock> blocks{};
};

/// Open MPI's name of a collective's number, empty where it has no such number; and back, -1 where it has no such name.
[[nodiscard]] std::string_view open_mpi_collective(int number);
[[nodiscard]] int open_mpi_collective(std::string_view name);

/// The algorithms that coll/tuned has in a release, also those of collectives that have no schedule here (allgatherv,
/// alltoallv, reduce_scatter_block). Empty for what coll/tuned has no rules for.
[[nodiscard]] std::vector<LibraryAlgorithm> tuned_algorithms(int collective, const LibraryVersion& version);

/// The number of the algorithm that a text names: its name in any case, or its number as C writes numbers; 0 for
/// "ignore", which is the built-in decision. Nothing where the release has no such algorithm.
[[nodiscard]] std::optional<std::int64_t> tuned_algorithm_number(int collective, const LibraryVersion& version,
                                                                 const std::string& text);

/// True where rules of several sizes can differ: coll/tuned takes 0 for the size of barrier and alltoallv.
[[nodiscard]] bool has_sizes(int collective);

/// Says so where a collective is named and has no rules.
void report_if_empty(const TunedSection& section, LintFindings& findings);

/// Checks what holds for rules of every file: algorithms, numbers of ranks, fan-outs, segments, sizes. `drops` is true
/// for JSON, where a rule with an unknown algorithm is left out instead of failing the call.
void check_tuned_section(const TunedSection& section, const LibraryVersion& version, bool drops,
                         LintFindings& findings);

}  // namespace postage
