#include "property/transport/random_rounds.hpp"

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

// Reductions: of each block, the ranks that stand for a run of contributions, in the runs' order.

void join_neighbours(RandomRounds& rounds, std::vector<Rank>& standing, Index block, RandomRounds::Messages& messages) {
  if (standing.size() == 1) {
    return;
  }
  const auto left = standing.begin() + rounds.below(static_cast<Index>(standing.size()) - 1);
  const auto right = left + 1;
  if (rounds.below(2) == 0) {
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

/// Both halves of every whole group of 2*half ranks exchange their carries.
void exchange_in_groups(RandomRounds& rounds, std::vector<std::vector<Carry>>& carries, Rank half) {
  RandomRounds::Messages messages;
  for (Index block = 0; block < rounds.blocks; ++block) {
    auto& of_block = carries[static_cast<std::size_t>(block)];
    for (Rank rank = 0; rank < rounds.ranks / (2 * half) * 2 * half; ++rank) {
      const Rank partner = rank ^ half;
      messages[{partner, rank, partner < rank ? Combine::kReduceLeft : Combine::kReduceRight}].push_back(block);
      of_block[static_cast<std::size_t>(rank)] = {rank / (2 * half) * 2 * half, (rank / (2 * half) + 1) * 2 * half - 1};
    }
  }
  rounds.add(messages);
}

void pull_from_left(RandomRounds& rounds, std::vector<std::vector<Carry>>& carries) {
  RandomRounds::Messages messages;
  for (Index block = 0; block < rounds.blocks; ++block) {
    auto& of_block = carries[static_cast<std::size_t>(block)];
    const std::vector<Carry> before = of_block;
    for (Rank target = 0; target < rounds.ranks; ++target) {
      Carry& own = of_block[static_cast<std::size_t>(target)];
      if (own.first > 0 && rounds.below(2) == 0) {
        Rank source = static_cast<Rank>(rounds.below(rounds.ranks));
        while (before[static_cast<std::size_t>(source)].last != own.first - 1) {
          source = (source + 1) % rounds.ranks;
        }
        messages[{source, target, Combine::kReduceLeft}].push_back(block);
        own.first = before[static_cast<std::size_t>(source)].first;
      }
    }
  }
  rounds.add(messages);
}

}  // namespace

HeldBlocks combine(RandomRounds& rounds) {
  std::vector<Rank> all(static_cast<std::size_t>(rounds.ranks));
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::vector<Rank>> standing(static_cast<std::size_t>(rounds.blocks), all);
  const auto is_done = [](const std::vector<Rank>& ranks) { return ranks.size() == 1; };
  while (!std::all_of(standing.begin(), standing.end(), is_done)) {
    RandomRounds::Messages messages;
    for (Index block = 0; block < rounds.blocks; ++block) {
      if (rounds.below(4) > 0) {
        join_neighbours(rounds, standing[static_cast<std::size_t>(block)], block, messages);
      }
    }
    rounds.add(messages);
  }
  HeldBlocks held(rounds.ranks, rounds.blocks);
  for (Index block = 0; block < rounds.blocks; ++block) {
    held.hold(standing[static_cast<std::size_t>(block)].front(), block);
  }
  return held;
}

void combine_prefixes(RandomRounds& rounds) {
  std::vector<std::vector<Carry>> carries(static_cast<std::size_t>(rounds.blocks));
  for (auto& of_block : carries) {
    for (Rank rank = 0; rank < rounds.ranks; ++rank) {
      of_block.push_back({rank, rank});
    }
  }
  Rank group = 1;
  for (const Index levels = rounds.below(3); group < Rank{1} << levels; group *= 2) {
    exchange_in_groups(rounds, carries, group);
  }
  const auto is_done = [](const std::vector<Carry>& of_block) {
    return std::all_of(of_block.begin(), of_block.end(), [](const Carry& carry) { return carry.first == 0; });
  };
  while (!std::all_of(carries.begin(), carries.end(), is_done)) {
    pull_from_left(rounds, carries);
  }
}

}  // namespace postage
