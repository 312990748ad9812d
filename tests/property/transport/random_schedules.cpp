#include "property/transport/random_schedules.hpp"

#include "property/transport/rank_memory.hpp"

#include <postage/schedule/algorithms.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

namespace postage {
namespace {

/// Writes one schedule. Every round's messages are chosen from what the ranks have when they enter it.
class Writer {
 public:
  Writer(Collective collective, Rank ranks, std::mt19937& random) : ranks_(ranks), random_(random) {
    schedule_.collective = collective;
    schedule_.algorithm = "random";
    schedule_.ranks = ranks;
    schedule_.root = static_cast<Rank>(below(ranks));
    if (collective != Collective::kBarrier) {
      schedule_.layout = random_layout();
    }
    blocks_ = schedule_.layout.blocks();
  }

  Schedule write() {
    switch (schedule_.collective) {
      case Collective::kBarrier:
        everybody_to_everybody();
        break;
      case Collective::kReduce:
      case Collective::kAllreduce:
      case Collective::kReduceScatter:
        combine();
        spread();
        break;
      case Collective::kScan:
      case Collective::kExscan:
        combine_prefixes();
        break;
      default:
        hold_initial();
        spread();
    }
    deal_to_stages();
    return std::move(schedule_);
  }

 private:
  struct Key {
    Rank source;
    Rank target;
    Combine combine;
    auto operator<=>(const Key&) const = default;
  };
  /// What one round carries.
  using Messages = std::map<Key, std::vector<Index>>;

  Index below(Index count) { return std::uniform_int_distribution<Index>(0, count - 1)(random_); }

  Index block_count() {
    switch (schedule_.collective) {
      case Collective::kGather:
      case Collective::kScatter:
      case Collective::kAllgather:
      case Collective::kReduceScatter:
        return ranks_;
      case Collective::kAlltoall:
        return Index{ranks_} * ranks_;
      default:
        return 1 + below(5);
    }
  }

  BlockLayout random_layout() {
    // Large messages, now and then, so that scratch memory is used again.
    const Bytes element = (is_reduction(schedule_.collective) ? kElementBytes : 1) * (below(16) == 0 ? 512 : 1);
    const Index count = block_count();
    switch (below(3)) {
      case 0:
        return BlockLayout::split(count, count * below(40), element);
      case 1:
        return BlockLayout::split(count, below(20 * count), element);
      default: {
        std::vector<Bytes> sizes(static_cast<std::size_t>(count));
        std::generate(sizes.begin(), sizes.end(), [&] { return element * std::max<Index>(below(30) - 10, 0); });
        return BlockLayout::explicit_sizes(sizes, element);
      }
    }
  }

  void add_round(const Messages& messages) {
    Round round;
    for (const auto& [key, blocks] : messages) {
      auto runs = std::make_shared<std::vector<BlockRun>>();
      for (const Index block : blocks) {
        runs->push_back({block, 1});
      }
      std::shuffle(runs->begin(), runs->end(), random_);
      round.patterns.push_back(
          {.pairs = AffinePairs{.count = 1, .source_first = key.source, .target_first = key.target},
           .numbering = FoldedNumbering{},
           .blocks = ExplicitBlocks{runs},
           .combine = key.combine});
    }
    rounds_.push_back(std::move(round));
  }

  void everybody_to_everybody() {
    Round round;
    for (Rank source = 0; source < ranks_; ++source) {
      for (Rank target = 0; target < ranks_; ++target) {
        round.patterns.push_back({.pairs = AffinePairs{.count = 1, .source_first = source, .target_first = target},
                                  .numbering = FoldedNumbering{},
                                  .blocks = Token{}});
      }
    }
    rounds_.push_back(std::move(round));
  }

  // Copies.

  void hold(Rank rank, Index block) { held_[static_cast<std::size_t>(rank * blocks_ + block)] = true; }
  [[nodiscard]] bool holds(Rank rank, Index block) const {
    return held_[static_cast<std::size_t>(rank * blocks_ + block)];
  }

  void hold_initial() {
    held_.assign(static_cast<std::size_t>(ranks_ * blocks_), false);
    for (Index block = 0; block < blocks_; ++block) {
      switch (schedule_.collective) {
        case Collective::kBcast:
        case Collective::kScatter:
          hold(schedule_.root, block);
          break;
        case Collective::kAlltoall:
          hold(static_cast<Rank>(block / ranks_), block);
          break;
        default:
          hold(static_cast<Rank>(block), block);
      }
    }
  }

  [[nodiscard]] bool must_end_with(Rank rank, Index block) const {
    switch (schedule_.collective) {
      case Collective::kReduce:
      case Collective::kGather:
        return rank == schedule_.root;
      case Collective::kScatter:
      case Collective::kReduceScatter:
        return rank == block;
      case Collective::kAlltoall:
        return rank == block % ranks_;
      default:
        return true;
    }
  }

  void deliver(Messages& messages, std::vector<bool>& delivered, Rank source, Rank target, Index block) {
    const auto at = static_cast<std::size_t>(target * blocks_ + block);
    if (!delivered[at]) {
      delivered[at] = true;
      messages[{source, target, Combine::kCopy}].push_back(block);
    }
  }

  void add_copies(const Messages& messages) {
    add_round(messages);
    for (const auto& [key, blocks] : messages) {
      for (const Index block : blocks) {
        hold(key.target, block);
      }
    }
  }

  void spread() {
    const Index rounds = below(5);
    for (Index round = 0; round < rounds; ++round) {
      Messages messages;
      std::vector<bool> delivered(held_.size(), false);
      const Index count = below(2 * ranks_);
      for (Index message = 0; message < count; ++message) {
        const auto source = static_cast<Rank>(below(ranks_));
        const auto target = static_cast<Rank>(below(ranks_));
        for (Index block = 0; block < blocks_; ++block) {
          if (holds(source, block) && below(3) > 0) {
            deliver(messages, delivered, source, target, block);
          }
        }
      }
      add_copies(messages);
    }
    deliver_the_rest();
  }

  void deliver_the_rest() {
    Messages messages;
    std::vector<bool> delivered(held_.size(), false);
    for (Rank target = 0; target < ranks_; ++target) {
      for (Index block = 0; block < blocks_; ++block) {
        if (must_end_with(target, block) && !holds(target, block)) {
          Rank source = static_cast<Rank>(below(ranks_));
          while (!holds(source, block)) {
            source = (source + 1) % ranks_;
          }
          deliver(messages, delivered, source, target, block);
        }
      }
    }
    add_copies(messages);
  }

  // Reductions: of each block, the ranks that stand for a run of contributions, in the runs' order.

  void combine() {
    std::vector<Rank> all(static_cast<std::size_t>(ranks_));
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::vector<Rank>> standing(static_cast<std::size_t>(blocks_), all);
    const auto is_done = [](const std::vector<Rank>& ranks) { return ranks.size() == 1; };
    while (!std::all_of(standing.begin(), standing.end(), is_done)) {
      Messages messages;
      for (Index block = 0; block < blocks_; ++block) {
        if (below(4) > 0) {
          join_neighbours(standing[static_cast<std::size_t>(block)], block, messages);
        }
      }
      add_round(messages);
    }
    held_.assign(static_cast<std::size_t>(ranks_ * blocks_), false);
    for (Index block = 0; block < blocks_; ++block) {
      hold(standing[static_cast<std::size_t>(block)].front(), block);
    }
  }

  void join_neighbours(std::vector<Rank>& standing, Index block, Messages& messages) {
    if (standing.size() == 1) {
      return;
    }
    const auto left = standing.begin() + below(static_cast<Index>(standing.size()) - 1);
    const auto right = left + 1;
    if (below(2) == 0) {
      messages[{*left, *right, Combine::kReduceLeft}].push_back(block);
      standing.erase(left);
    } else {
      messages[{*right, *left, Combine::kReduceRight}].push_back(block);
      standing.erase(right);
    }
  }

  // Prefixes: carries of ranks [first, last]; the result of rank r is that of [first, r].

  struct Carry {
    Rank first;
    Rank last;
  };

  void combine_prefixes() {
    std::vector<std::vector<Carry>> carries(static_cast<std::size_t>(blocks_));
    for (auto& of_block : carries) {
      for (Rank rank = 0; rank < ranks_; ++rank) {
        of_block.push_back({rank, rank});
      }
    }
    Rank group = 1;
    for (const Index levels = below(3); group < Rank{1} << levels; group *= 2) {
      exchange_in_groups(carries, group);
    }
    const auto is_done = [](const std::vector<Carry>& of_block) {
      return std::all_of(of_block.begin(), of_block.end(), [](const Carry& carry) { return carry.first == 0; });
    };
    while (!std::all_of(carries.begin(), carries.end(), is_done)) {
      pull_from_left(carries);
    }
  }

  /// Both halves of every whole group of 2*half ranks exchange their carries.
  void exchange_in_groups(std::vector<std::vector<Carry>>& carries, Rank half) {
    Messages messages;
    for (Index block = 0; block < blocks_; ++block) {
      auto& of_block = carries[static_cast<std::size_t>(block)];
      for (Rank rank = 0; rank < ranks_ / (2 * half) * 2 * half; ++rank) {
        const Rank partner = rank ^ half;
        messages[{partner, rank, partner < rank ? Combine::kReduceLeft : Combine::kReduceRight}].push_back(block);
        of_block[static_cast<std::size_t>(rank)] = {rank / (2 * half) * 2 * half,
                                                    (rank / (2 * half) + 1) * 2 * half - 1};
      }
    }
    add_round(messages);
  }

  void pull_from_left(std::vector<std::vector<Carry>>& carries) {
    Messages messages;
    for (Index block = 0; block < blocks_; ++block) {
      auto& of_block = carries[static_cast<std::size_t>(block)];
      const std::vector<Carry> before = of_block;
      for (Rank target = 0; target < ranks_; ++target) {
        Carry& own = of_block[static_cast<std::size_t>(target)];
        if (own.first > 0 && below(2) == 0) {
          Rank source = static_cast<Rank>(below(ranks_));
          while (before[static_cast<std::size_t>(source)].last != own.first - 1) {
            source = (source + 1) % ranks_;
          }
          messages[{source, target, Combine::kReduceLeft}].push_back(block);
          own.first = before[static_cast<std::size_t>(source)].first;
        }
      }
    }
    add_round(messages);
  }

  void deal_to_stages() {
    for (std::size_t i = 0; i < rounds_.size();) {
      const auto count = std::min<std::size_t>(rounds_.size() - i, static_cast<std::size_t>(1 + below(3)));
      Stage stage{.name = "random", .segments = 1 + std::max<Index>(below(6) - 3, 0)};
      stage.rounds.assign(rounds_.begin() + static_cast<std::ptrdiff_t>(i),
                          rounds_.begin() + static_cast<std::ptrdiff_t>(i + count));
      stage.segment_order = below(2) == 0 ? SegmentOrder::kPipeline : SegmentOrder::kWithinRound;
      schedule_.stages.push_back(std::move(stage));
      i += count;
    }
  }

  Schedule schedule_;
  Rank ranks_;
  Index blocks_ = 0;
  std::mt19937& random_;
  std::vector<Round> rounds_;
  std::vector<bool> held_;  ///< by rank and block
};

}  // namespace

Schedule random_schedule(Collective collective, Rank ranks, std::mt19937& random) {
  return Writer(collective, ranks, random).write();
}

}  // namespace postage
