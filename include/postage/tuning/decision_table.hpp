#pragma once

#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/tuning/library.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// first <= x <= last.
template <typename Number>
struct Span {
  Number first = 0;
  Number last = std::numeric_limits<Number>::max();
  [[nodiscard]] bool contains(Number x) const { return first <= x && x <= last; }
  auto operator<=>(const Span&) const = default;
};

/// Communicators by their number of ranks and the number of nodes that these are on.
struct CommunicatorSpan {
  Span<std::int32_t> nodes{1};
  Span<Rank> ranks{1};
  auto operator<=>(const CommunicatorSpan&) const = default;
};

/// Not a schedule's name, but what the preload library does on one node: shared memory.
inline constexpr const char* kDirectAlgorithm = "direct";

/// What to do.
struct DecisionChoice {
  std::string algorithm;         ///< the schedule's name, or of kPreload kDirectAlgorithm
  std::string library_name{};    ///< LibraryAlgorithm::name; empty for kPreload
  Bytes segment = 0;             ///< 0 sends whole messages
  ParameterValues parameters{};  ///< the algorithm's own, like chains or radix: the library's fan-out
  bool operator==(const DecisionChoice&) const = default;
};

/// How a gain was found.
enum class GainSource { kPredicted, kMeasured };

/// 1 - tuned/default: the share of the default's time that is saved.
struct Gain {
  double share = 0;
  Interval interval{};  ///< at 95 %
  GainSource source = GainSource::kPredicted;
  std::size_t pairs = 0;  ///< of times, tuned and default one after the other; 0 where predicted
  double sign_test = 1;   ///< probability of as many pairs in favour if there were no difference; 1 where predicted
  bool operator==(const Gain&) const = default;
};

/// What to do for some communicators and sizes instead of the library's default. `bytes` is what ScheduleRequest::bytes
/// means: the whole vector for bcast, reduce, allreduce, reduce_scatter, scan and exscan; one rank's contribution for
/// gather, scatter and allgather; one pair's block for alltoall; 0 for barrier. total_bytes gives the other meaning.
struct DecisionRule {
  Collective collective = Collective::kBcast;
  CommunicatorSpan communicators{};
  Span<Bytes> bytes{};
  DecisionChoice choice{};
  /// At the point of the rule with the least gain.
  Seconds predicted = 0;
  Interval predicted_interval{};
  Seconds default_seconds = 0;
  Gain gain{};
  bool operator==(const DecisionRule&) const = default;
};

/// A rule that is not in force: the library's default stays.
struct DroppedRule {
  DecisionRule rule;
  std::string reason;
  bool operator==(const DroppedRule&) const = default;
};

/// One point of the grid that the rules were made from: what the report's heat map draws.
struct DecisionCell {
  Collective collective = Collective::kBcast;
  std::int32_t nodes = 1;
  Rank ranks = 1;
  Bytes bytes = 0;
  DecisionChoice choice{};  ///< no algorithm: the default stays
  Seconds tuned_seconds = 0;
  Seconds default_seconds = 0;
  bool measured = false;
  bool operator==(const DecisionCell&) const = default;
};

/// Which algorithm of a library to use when. Where no rule says anything the library's default stays.
///
/// Rules of a collective do not overlap: spans of nodes are equal or disjoint; so are spans of ranks within equal
/// nodes, and spans of bytes within both. They are kept in that order.
class DecisionTable {
 public:
  DecisionTable() = default;
  /// Sorts the rules. Throws Error naming two that overlap, and rules with an empty span.
  DecisionTable(TuningTarget target, LibraryVersion version, std::vector<DecisionRule> rules);

  [[nodiscard]] TuningTarget target() const { return target_; }
  [[nodiscard]] const LibraryVersion& version() const { return version_; }
  /// By collective, nodes, ranks, bytes.
  [[nodiscard]] std::span<const DecisionRule> rules() const { return rules_; }
  [[nodiscard]] std::span<const DecisionRule> rules_of(Collective collective) const;
  /// The rule that holds, or nullptr. O(log rules), no allocation.
  [[nodiscard]] const DecisionRule* lookup(Collective collective, Rank ranks, std::int32_t nodes, Bytes bytes) const;

  std::string platform{};  ///< its name
  std::string created{};   ///< ISO 8601, or empty
  std::vector<DroppedRule> dropped{};
  std::vector<DecisionCell> cells{};
  bool operator==(const DecisionTable&) const = default;

 private:
  static constexpr std::size_t kCollectives = static_cast<std::size_t>(Collective::kExscan) + 1;
  TuningTarget target_ = TuningTarget::kOpenMpi;
  LibraryVersion version_{};
  std::vector<DecisionRule> rules_;
  std::array<std::size_t, kCollectives + 1> first_{};  ///< [collective] index into rules_
};

/// Bytes of all ranks together, as Open MPI counts them for gather, scatter, allgather and alltoall (P * count * type):
/// `bytes` times the ranks there; `bytes` itself for the others. by_rank is the inverse, rounded down.
[[nodiscard]] Bytes total_bytes(Collective collective, Rank ranks, Bytes bytes);
[[nodiscard]] Bytes by_rank(Collective collective, Rank ranks, Bytes total);

inline constexpr int kDecisionsVersion = 1;
inline constexpr const char* kDecisionsFormat = "postage-decisions";

/// Lossless. The schema is share/decisions.schema.json.
[[nodiscard]] Json to_json(const DecisionTable& table);
/// Throws Error naming `source` and the first field that is missing or wrong, also for algorithms that do not exist.
[[nodiscard]] DecisionTable decisions_from_json(const Json& value, const std::filesystem::path& source);
[[nodiscard]] DecisionTable read_decisions(const std::filesystem::path& path);

}  // namespace postage
