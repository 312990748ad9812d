#include "predict/timeline/rank_kinds.hpp"

#include "predict/round_symmetry.hpp"

#include <postage/model/transfer.hpp>

#include <algorithm>

namespace postage {
namespace {

/// The blocks of a pattern are as many bytes for every rank: none is cut short, and all have one size.
bool has_equal_bytes(const Pattern& pattern, const BlockLayout& layout) {
  if (std::holds_alternative<Token>(pattern.blocks)) {
    return true;
  }
  if (!layout.is_uniform()) {
    return false;
  }
  if (std::holds_alternative<DigitBlocks>(pattern.blocks)) {
    return true;
  }
  const auto* span = std::get_if<BlockSpan>(&pattern.blocks);
  if (span == nullptr || span->doubled != 0) {
    return false;
  }
  const bool is_own_run = span->constant == 0 && span->by_iteration == 0 && span->by_source + span->by_target == 1 &&
                          span->by_source * span->by_target == 0 && span->align == span->count &&
                          span->limit % span->count == 0;
  return span->limit == 0 || is_own_run;
}

bool all_alike(const Schedule& schedule, const NodeRanks& nodes) {
  return std::all_of(schedule.stages.begin(), schedule.stages.end(), [&](const Stage& stage) {
    return std::all_of(stage.rounds.begin(), stage.rounds.end(), [&](const Round& round) {
      return std::all_of(round.patterns.begin(), round.patterns.end(),
                         [&](const Pattern& pattern) {
                           return pattern.active == IterationWindow{} && has_equal_bytes(pattern, schedule.layout);
                         }) &&
             all_ranks_alike(round, 0, schedule.ranks) && all_nodes_alike(round, 0, nodes);
    });
  });
}

/// Under a cyclic mapping a ring passes from slot to slot: then it must not matter which slots two ranks have.
bool has_one_channel_inside(const ChannelMap& channels) {
  const Mapping& mapping = channels.mapping();
  const Rank nodes = mapping.nodes();
  std::optional<ChannelId> inside;
  for (Rank a = 0; a < mapping.per_node(); ++a) {
    for (Rank b = 0; b < a; ++b) {
      const ChannelId channel = channels.channel_of(a * nodes, b * nodes);
      if (inside.value_or(channel) != channel) {
        return false;
      }
      inside = channel;
    }
  }
  return true;
}

}  // namespace

std::optional<RankKinds> RankKinds::of(const Schedule& schedule, const ChannelMap& channels) {
  const NodeRanks nodes(channels, schedule.ranks);
  if (nodes.is_explicit() || !all_alike(schedule, nodes)) {
    return std::nullopt;
  }
  if (nodes.is_single()) {
    return RankKinds(1);
  }
  if (!channels.nodes_are_alike()) {
    return std::nullopt;
  }
  if (nodes.mapping().kind() == Mapping::Kind::kBlock) {
    return RankKinds(nodes.mapping().per_node());
  }
  return has_one_channel_inside(channels) ? std::optional(RankKinds(1)) : std::nullopt;
}

}  // namespace postage
