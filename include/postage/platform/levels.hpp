#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A communication level: ranks whose cores lie in the same `cores` consecutive ones, counted node after node, talk
/// over `channel`, unless a level before it joins them. Levels of more cores than a node has join nodes: those of one
/// switch, of one cabinet. A level of as many cores as the one before it joins no two ranks: what printed formulas know
/// beside the ranks' own messages, like those of a Cell chip's elements to its general-purpose core.
struct ChannelLevel {
  static constexpr std::int64_t kEverywhere = std::numeric_limits<std::int64_t>::max();

  std::string channel;
  std::int64_t cores = kEverywhere;
  bool operator==(const ChannelLevel&) const = default;
};

/// Reads levels, nearest first, like "shared-cache:2,inter-socket:8,switch:64,inter-node": the last one joins all that
/// no other does, and has no number. Throws UsageError where groups are not parts of one another, or cut nodes of
/// `per_node` cores.
[[nodiscard]] std::vector<ChannelLevel> parse_levels(std::string_view text, std::int64_t per_node);

}  // namespace postage
