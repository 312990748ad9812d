#pragma once

#include <postage/schedule/schedule.hpp>

#include <map>
#include <random>
#include <vector>

namespace postage {

/// The rounds of a random schedule while it is written. Every round's messages are chosen from what the ranks have when
/// they enter it.
class RandomRounds {
 public:
  struct Key {
    Rank source;
    Rank target;
    Combine combine;
    auto operator<=>(const Key&) const = default;
  };
  /// What one round carries.
  using Messages = std::map<Key, std::vector<Index>>;

  RandomRounds(const Schedule& schedule, std::mt19937& random)
      : collective(schedule.collective),
        root(schedule.root),
        ranks(schedule.ranks),
        blocks(schedule.layout.blocks()),
        random_(random) {}

  /// A random number in [0, count).
  [[nodiscard]] Index below(Index count) { return std::uniform_int_distribution<Index>(0, count - 1)(random_); }
  void add(const Messages& messages);
  void add(Round round) { rounds_.push_back(std::move(round)); }
  [[nodiscard]] const std::vector<Round>& rounds() const { return rounds_; }

  const Collective collective;
  const Rank root;
  const Rank ranks;
  const Index blocks;

 private:
  std::mt19937& random_;
  std::vector<Round> rounds_;
};

/// Which blocks each rank holds.
class HeldBlocks {
 public:
  HeldBlocks(Rank ranks, Index blocks) : blocks_(blocks), held_(static_cast<std::size_t>(ranks * blocks), false) {}

  void hold(Rank rank, Index block) { held_[index(rank, block)] = true; }
  [[nodiscard]] bool holds(Rank rank, Index block) const { return held_[index(rank, block)]; }

 private:
  [[nodiscard]] std::size_t index(Rank rank, Index block) const {
    return static_cast<std::size_t>(rank * blocks_ + block);
  }

  Index blocks_;
  std::vector<bool> held_;
};

/// What the ranks hold at first in a collective that copies.
[[nodiscard]] HeldBlocks initial_blocks(const RandomRounds& rounds);
/// Copies blocks at random, and then to all ranks that must end with them.
void spread(RandomRounds& rounds, HeldBlocks held);
/// Combines all contributions to each block in a random tree; says which rank has each result.
[[nodiscard]] HeldBlocks combine(RandomRounds& rounds);
/// scan and exscan.
void combine_prefixes(RandomRounds& rounds);

}  // namespace postage
