#pragma once

#include <postage/model/flow.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/schedule/schedule.hpp>

namespace postage {

/// About how often the evaluator of flows computes the rate of a class of flows: for each of its messages those that
/// may be under way with it, of each rank those of a round, or no more than there are pairs of nodes where nothing but
/// nodes limits them. O(messages).
[[nodiscard]] Index flow_work(const Schedule& schedule, const ChannelMap& channels, const Flow& model);

}  // namespace postage
