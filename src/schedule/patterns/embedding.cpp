#include "schedule/patterns/embedding.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <type_traits>

namespace postage {
namespace {

/// The same value in the variant without groups.
template <typename Plain, typename Grouped, typename Any>
Plain plain(const Any& any) {
  return std::visit(
      [](const auto& value) -> Plain {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Grouped>) {
          throw Error("a part of a node-aware schedule is node-aware itself; it must be an algorithm of its own");
        } else {
          return value;
        }
      },
      any);
}

BlockSelector embedded(const BlockSelector& selector, const Embedding& embedding) {
  if (!embedding.expansion || std::holds_alternative<Token>(selector)) {
    return Token{};
  }
  return GroupedBlocks{.inner = plain<PlainSelector, GroupedBlocks>(selector),
                       .expansion = embedding.expansion,
                       .stand_for = embedding.stand_for,
                       .ranks = embedding.ranks,
                       .groups = embedding.groups,
                       .weights = embedding.weights};
}

Pattern embedded(const Pattern& pattern, const Embedding& embedding) {
  GroupedNumbering numbering = embedding.numbering;
  numbering.inner = plain<PlainNumbering, GroupedNumbering>(pattern.numbering);
  return {.pairs = GroupedPairs{plain<PlainPairs, GroupedPairs>(pattern.pairs), numbering.groups},
          .numbering = numbering,
          .blocks = embedded(pattern.blocks, embedding),
          .combine = pattern.combine,
          .protocol = pattern.protocol,
          .active = pattern.active};
}

bool have_one_shape(const Stage& a, const Stage& b) {
  const bool same_loops = a.rounds.size() == b.rounds.size() || (a.iterations == 1 && b.iterations == 1);
  return a.name == b.name && same_loops && a.segments == b.segments && a.segment_order == b.segment_order;
}

/// Keeps a stage's patterns to its own iterations when it gets more.
void keep_to_iterations(Stage& stage) {
  for (Round& round : stage.rounds) {
    for (Pattern& pattern : round.patterns) {
      pattern.active.end = std::min(pattern.active.end, stage.iterations);
    }
  }
}

void join(Stage& stage, Stage other) {
  if (stage.iterations != other.iterations) {
    keep_to_iterations(stage);
    keep_to_iterations(other);
    stage.iterations = std::max(stage.iterations, other.iterations);
  }
  stage.rounds.resize(std::max(stage.rounds.size(), other.rounds.size()));
  for (std::size_t r = 0; r < other.rounds.size(); ++r) {
    std::vector<Pattern>& patterns = stage.rounds[r].patterns;
    patterns.insert(patterns.end(), other.rounds[r].patterns.begin(), other.rounds[r].patterns.end());
  }
}

}  // namespace

std::vector<Stage> embedded_stages(const Schedule& part, const Embedding& embedding, const std::string& where) {
  std::vector<Stage> stages;
  for (const Stage& stage : part.stages) {
    Stage whole = stage;
    whole.name = where + ": " + stage.name;
    for (Round& round : whole.rounds) {
      for (Pattern& pattern : round.patterns) {
        pattern = embedded(pattern, embedding);
      }
    }
    stages.push_back(std::move(whole));
  }
  return stages;
}

void join_stages(std::vector<Stage>& stages, std::vector<Stage> others) {
  std::size_t at = 0;
  for (Stage& other : others) {
    const auto same = std::find_if(stages.begin() + static_cast<std::ptrdiff_t>(at), stages.end(),
                                   [&](const Stage& stage) { return have_one_shape(stage, other); });
    if (same == stages.end()) {
      stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(at), std::move(other));
    } else {
      at = static_cast<std::size_t>(same - stages.begin());
      join(*same, std::move(other));
    }
    ++at;
  }
}

}  // namespace postage
