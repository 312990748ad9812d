#include "schedule/patterns/trees.hpp"

#include "schedule/patterns/vectors.hpp"

#include <algorithm>

namespace postage {
namespace {

TreeLevel knomial_level(Index ranks, Index radix, Index distance) {
  TreeLevel level;
  const Index stride = radix * distance;
  for (Index child = distance; child < std::min(stride, ranks); child += distance) {
    level.push_back({.count = terms_below(ranks, child, stride),
                     .source_stride = stride,
                     .target_first = child,
                     .target_stride = stride});
  }
  return level;
}

AffinePairs binary_children(Index ranks, Index width, Index shift) {
  const Index first = width - 1;
  return {.count = std::min(width, ranks - first - shift),
          .source_first = first,
          .source_stride = 1,
          .target_first = first + shift,
          .target_stride = 1};
}

}  // namespace

Index terms_below(Index limit, Index first, Index stride) {
  return first < limit ? (limit - first + stride - 1) / stride : 0;
}

Tree knomial_tree(Index ranks, Index radix, Index below) {
  const Index end = below == 0 ? ranks : std::min(ranks, below);
  Tree tree;
  for (Index distance = 1; distance < end; distance *= radix) {
    tree.push_back(knomial_level(ranks, radix, distance));
  }
  std::reverse(tree.begin(), tree.end());
  return tree;
}

Tree binomial_tree(Index ranks, Index below) {
  return knomial_tree(ranks, 2, below);
}

Tree doubling_tree(Index ranks) {
  Tree tree;
  for (Index distance = 1; distance < ranks; distance *= 2) {
    tree.push_back({{.count = std::min(distance, ranks - distance),
                     .source_stride = 1,
                     .target_first = distance,
                     .target_stride = 1}});
  }
  return tree;
}

Tree binary_tree(Index ranks) {
  Tree tree;
  for (Index width = 1; 2 * width - 1 < ranks; width *= 2) {
    TreeLevel level{binary_children(ranks, width, width)};
    if (3 * width - 1 < ranks) {
      level.push_back(binary_children(ranks, width, 2 * width));
    }
    tree.push_back(std::move(level));
  }
  return tree;
}

Tree heap_tree(Index ranks) {
  Tree tree;
  for (Index first = 0; 2 * first + 1 < ranks; first = 2 * first + 1) {
    TreeLevel level;
    for (Index child = 2 * first + 1; child <= 2 * first + 2 && child < ranks; ++child) {
      level.push_back({.count = std::min(first + 1, terms_below(ranks, child, 2)),
                       .source_first = first,
                       .source_stride = 1,
                       .target_first = child,
                       .target_stride = 2});
    }
    tree.push_back(std::move(level));
  }
  return tree;
}

std::vector<Round> downward(const Tree& tree, const Numbering& numbering, const BlockSelector& blocks) {
  std::vector<Round> rounds;
  for (const TreeLevel& level : tree) {
    Round& round = rounds.emplace_back();
    for (const AffinePairs& children : level) {
      round.patterns.push_back({.pairs = children, .numbering = numbering, .blocks = blocks});
    }
  }
  return rounds;
}

std::vector<Round> upward(const Tree& tree, const Numbering& numbering, const BlockSelector& blocks, Combine combine) {
  std::vector<Round> rounds;
  for (const TreeLevel& level : Tree(tree.rbegin(), tree.rend())) {
    for (AffinePairs pairs : level) {
      std::swap(pairs.source_first, pairs.target_first);
      std::swap(pairs.source_stride, pairs.target_stride);
      rounds.push_back({{{.pairs = pairs, .numbering = numbering, .blocks = blocks, .combine = combine}}});
    }
  }
  return rounds;
}

std::vector<Round> binomial_scatter(Index ranks, const Numbering& numbering) {
  std::vector<Round> rounds;
  for (const TreeLevel& level : binomial_tree(ranks)) {
    const AffinePairs& children = level.front();
    rounds.push_back(
        {{{.pairs = children, .numbering = numbering, .blocks = run_of_target(children.target_first, ranks)}}});
  }
  return rounds;
}

}  // namespace postage
