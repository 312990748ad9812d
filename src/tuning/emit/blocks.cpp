#include "tuning/emit/blocks.hpp"

#include <postage/base/error.hpp>
#include <postage/base/units.hpp>
#include <postage/tuning/emit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace postage {
namespace {

constexpr Rank kMostRanks = std::numeric_limits<Rank>::max();
constexpr Bytes kMostBytes = std::numeric_limits<Bytes>::max();
/// Communicators up to this have blocks of their own where sizes depend on the number of ranks, and where only even
/// numbers have an algorithm; above the largest of the second kind the default holds.
constexpr Rank kOneByOne = 10;
constexpr Rank kLargestListed = 65536;
constexpr Rank kLargestEven = 128;

const LibraryAlgorithm& algorithm_of(const DecisionTable& table, const DecisionRule& rule) {
  for (const LibraryAlgorithm& one : library_algorithms(table.target())) {
    const bool is_named =
        rule.choice.library_name.empty() ? one.ours == rule.choice.algorithm : one.name == rule.choice.library_name;
    if (one.collective == rule.collective && is_named && one.since <= table.version() && table.version() < one.before) {
      return one;
    }
  }
  throw UsageError(fmt::format("{} {} has no algorithm of {} for {}: choose among the algorithms of that release",
                               name_of(table.target()), format_version(table.version()), name_of(rule.collective),
                               rule.choice.library_name.empty() ? rule.choice.algorithm : rule.choice.library_name));
}

/// All rows of the algorithm's name: MPICH's pairwise is one schedule for powers of two and another one elsewhere.
bool can_do_name(const DecisionTable& table, const DecisionRule& rule, Rank ranks) {
  const LibraryAlgorithm& algorithm = algorithm_of(table, rule);
  return std::ranges::any_of(library_algorithms(table.target()), [&](const LibraryAlgorithm& one) {
    return one.collective == rule.collective && one.name == algorithm.name &&
           (rule.choice.algorithm.empty() || one.ours == rule.choice.algorithm || one.ours.empty()) &&
           can_do(one, ranks);
  });
}

bool depends_on_ranks(TuningTarget target, Collective collective) {
  return library_bytes(target, collective, 8, 800) != library_bytes(target, collective, 4, 800);
}

/// Where blocks begin because of one rule.
void add_rank_cuts(const DecisionTable& table, const DecisionRule& rule, std::set<Rank>& cuts) {
  const Span<Rank> ranks = rule.communicators.ranks;
  const auto add = [&](std::int64_t p) {
    if (p >= ranks.first && p <= ranks.last && p < kMostRanks) {
      cuts.insert(static_cast<Rank>(p));
    }
  };
  cuts.insert(ranks.first);
  if (ranks.last < kMostRanks) {
    cuts.insert(ranks.last + 1);
  }
  switch (algorithm_of(table, rule).ranks) {
    case LibraryRankRule::kPowerOfTwo:
    case LibraryRankRule::kNoPowerOfTwo:
      for (std::int64_t p = 1; p <= kLargestListed; p *= 2) {
        add(p);
        add(p + 1);
      }
      break;
    case LibraryRankRule::kEven:
      for (Rank p = 2; p <= kLargestEven; ++p) {
        add(p);
      }
      add(kLargestEven + 1);
      break;
    case LibraryRankRule::kTwo:
      add(2);
      add(3);
      break;
    case LibraryRankRule::kAny:
      break;
  }
}

/// So many blocks that one size of a message serves all communicators of a block.
void add_size_cuts(const DecisionRule& rule, std::set<Rank>& cuts) {
  const bool has_threshold = rule.bytes.first > 0 || rule.bytes.last < kMostBytes;
  if (!has_threshold) {
    return;
  }
  std::int64_t p = rule.communicators.ranks.first;
  const std::int64_t last = std::min(rule.communicators.ranks.last, kLargestListed);
  while (p <= last) {
    cuts.insert(static_cast<Rank>(p));
    p = p < kOneByOne ? p + 1 : std::max(p + 1, p * 6 / 5);
  }
}

/// The number of ranks whose sizes stand for those of a block.
Rank middle_of(const Span<Rank>& ranks) {
  if (ranks.last == kMostRanks) {
    return ranks.first;
  }
  return static_cast<Rank>(std::lround(std::sqrt(static_cast<double>(ranks.first) * static_cast<double>(ranks.last))));
}

bool same_choice(const EmittedRange& a, const EmittedRange& b) {
  return (a.rule == nullptr) == (b.rule == nullptr) && (a.rule == nullptr || a.rule->choice == b.rule->choice);
}

void add_range(EmittedBlock& block, const EmittedRange& range) {
  if (range.bytes.last < range.bytes.first) {
    return;
  }
  if (!block.ranges.empty() && same_choice(block.ranges.back(), range)) {
    block.ranges.back().bytes.last = range.bytes.last;
  } else {
    block.ranges.push_back(range);
  }
}

/// The sizes that a rule holds for, as the library counts them.
Span<Bytes> library_span(const DecisionTable& table, const DecisionRule& rule, const LibraryAlgorithm& algorithm,
                         Rank ranks) {
  const auto size = [&](Bytes bytes) { return library_bytes(table.target(), rule.collective, ranks, bytes); };
  Span<Bytes> span{size(rule.bytes.first), rule.bytes.last == kMostBytes ? kMostBytes : size(rule.bytes.last + 1) - 1};
  if (algorithm.least_elements_per_rank > 0) {
    // A segmented ring needs a segment for each rank.
    const Bytes each = algorithm.takes_segment ? std::max<Bytes>(rule.choice.segment, 1) : 1;
    span.first = std::max(span.first, size(std::max<Bytes>(ranks, 2) * each));
  }
  return span;
}

class BlockMaker {
 public:
  BlockMaker(const DecisionTable& table, std::span<const DecisionRule> rules, Collective collective)
      : table_(table), collective_(collective) {
    for (const DecisionRule& rule : rules) {
      if (rule.collective == collective) {
        rules_.push_back(&rule);
      }
    }
  }

  EmittedBlocks make() {
    const std::vector<Rank> cuts = cuts_of();
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      add_block({cuts[i], i + 1 < cuts.size() ? cuts[i + 1] - 1 : kMostRanks});
    }
    return std::move(made_);
  }

 private:
  std::vector<Rank> cuts_of() const {
    std::set<Rank> cuts{1};
    const bool is_sized = sees_sizes(table_.target(), collective_) && depends_on_ranks(table_.target(), collective_);
    for (const DecisionRule* rule : rules_) {
      add_rank_cuts(table_, *rule, cuts);
      if (is_sized) {
        add_size_cuts(*rule, cuts);
      }
    }
    return {cuts.begin(), cuts.end()};
  }

  void add_block(const Span<Rank>& ranks) {
    EmittedBlock block{.ranks = ranks};
    if (sees_sizes(table_.target(), collective_)) {
      add_ranges(block);
    } else {
      add_whole(block);
    }
    if (!made_.blocks.empty() && same_ranges(made_.blocks.back(), block)) {
      made_.blocks.back().ranks.last = ranks.last;
    } else {
      made_.blocks.push_back(std::move(block));
    }
  }

  /// Blocks are cut where an algorithm ends, but for large even and odd numbers: no rule but those for all numbers of
  /// ranks, and for all that are no powers of two, holds for three in a row.
  bool can_do_all(const DecisionRule& rule, const Span<Rank>& ranks) const {
    const std::int64_t last = std::min<std::int64_t>(ranks.last, std::int64_t{ranks.first} + 2);
    for (std::int64_t p = ranks.first; p <= last; ++p) {
      if (!can_do_name(table_, rule, static_cast<Rank>(p))) {
        return false;
      }
    }
    const bool is_open = ranks.last == kMostRanks;
    return !is_open || algorithm_of(table_, rule).ranks == LibraryRankRule::kAny;
  }

  std::vector<const DecisionRule*> rules_for(const Span<Rank>& ranks) const {
    std::vector<const DecisionRule*> found;
    for (const DecisionRule* rule : rules_) {
      if (rule->communicators.ranks.contains(ranks.first) && can_do_all(*rule, ranks)) {
        found.push_back(rule);
      }
    }
    return found;
  }

  void add_ranges(EmittedBlock& block) const {
    const Rank ranks = middle_of(block.ranks);
    Bytes next = 0;
    for (const DecisionRule* rule : rules_for(block.ranks)) {
      const LibraryAlgorithm& algorithm = algorithm_of(table_, *rule);
      const Span<Bytes> span = library_span(table_, *rule, algorithm, ranks);
      if (span.last < std::max(span.first, next)) {
        continue;
      }
      const Bytes first = std::max(span.first, next);
      add_range(block, {{next, first - 1}});
      add_range(block, {{first, span.last}, rule, &algorithm});
      next = span.last == kMostBytes ? kMostBytes : span.last + 1;
    }
    if (next != kMostBytes) {
      add_range(block, {{next, kMostBytes}});
    }
  }

  /// One choice for all sizes, or the default.
  void add_whole(EmittedBlock& block) {
    const std::vector<const DecisionRule*> rules = rules_for(block.ranks);
    if (rules.empty()) {
      add_range(block, {{0, kMostBytes}});
      return;
    }
    Bytes next = 0;
    bool is_one = true;
    for (const DecisionRule* rule : rules) {
      is_one = is_one && rule->bytes.first <= next && rule->choice == rules.front()->choice;
      next = rule->bytes.last == kMostBytes ? kMostBytes : rule->bytes.last + 1;
    }
    if (collective_ == Collective::kBarrier || (is_one && next == kMostBytes)) {
      add_range(block, {{0, kMostBytes}, rules.front(), &algorithm_of(table_, *rules.front())});
      return;
    }
    made_.notes.push_back(fmt::format("{}: rules of {} for {} ranks and some sizes only are left out, since {}",
                                      name_of(table_.target()), name_of(collective_), block.ranks.first,
                                      collective_ == Collective::kGather || collective_ == Collective::kScatter
                                          ? "ranks that see different sizes would deadlock"
                                          : "the library does not tell sizes apart there"));
    add_range(block, {{0, kMostBytes}});
  }

  static bool same_ranges(const EmittedBlock& a, const EmittedBlock& b) {
    return std::ranges::equal(a.ranges, b.ranges, [](const EmittedRange& x, const EmittedRange& y) {
      return x.bytes == y.bytes && same_choice(x, y);
    });
  }

  const DecisionTable& table_;
  Collective collective_;
  std::vector<const DecisionRule*> rules_;
  EmittedBlocks made_;
};

}  // namespace

bool sees_sizes(TuningTarget target, Collective collective) {
  const bool is_rooted_block = collective == Collective::kGather || collective == Collective::kScatter;
  const bool is_scan = collective == Collective::kScan || collective == Collective::kExscan;
  switch (target) {
    case TuningTarget::kOpenMpi:
    case TuningTarget::kMpich:
      return !is_rooted_block && !is_scan && collective != Collective::kBarrier;
    default:
      return collective != Collective::kBarrier;
  }
}

EmittedBlocks emitted_blocks(const DecisionTable& table, std::span<const DecisionRule> rules, Collective collective) {
  return BlockMaker(table, rules, collective).make();
}

}  // namespace postage
