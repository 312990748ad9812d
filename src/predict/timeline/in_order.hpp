#pragma once

#include "predict/timeline/followed_rounds.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>

#include <optional>
#include <vector>

namespace postage {

/// The rules of timeline.hpp round after round, in O(ranks + messages of a round) memory: when each rank has finished.
/// Nothing where a message reaches a port before one of an earlier round, and the model keeps arrivals apart.
[[nodiscard]] std::optional<std::vector<Seconds>> play_in_order(const Schedule& schedule,
                                                                const FollowedSegments& followed,
                                                                const ChannelMap& channels, const Model& model);

}  // namespace postage
