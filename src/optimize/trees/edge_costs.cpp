#include "optimize/trees/edge_costs.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::vector<Bytes> blocks_of(Collective collective, const ScheduleRequest& request) {
  const bool grows = collective == Collective::kGather || collective == Collective::kScatter;
  if (grows && !request.block_bytes.empty()) {
    return request.block_bytes;
  }
  return std::vector<Bytes>(static_cast<std::size_t>(request.ranks), request.bytes);
}

}  // namespace

EdgeCosts::EdgeCosts(const PlatformModel& platform, Collective collective, const ScheduleRequest& request)
    : channels_(&platform.channels()),
      model_(&platform.model()),
      direction_(collective == Collective::kGather || collective == Collective::kReduce ? TreeDirection::kUp
                                                                                        : TreeDirection::kDown),
      grows_(collective == Collective::kGather || collective == Collective::kScatter),
      combines_(collective == Collective::kReduce),
      blocks_(blocks_of(collective, request)) {
  if (!channels_->is_single() && channels_->mapping().capacity() < request.ranks) {
    throw Error(
        fmt::format("the mapping has room for {} ranks, but P is {}", channels_->mapping().capacity(), request.ranks));
  }
}

bool EdgeCosts::is_limited(Bytes message) const {
  const FanLimits* limits = fan_limits();
  if (limits == nullptr) {
    return false;
  }
  if (direction_ == TreeDirection::kDown) {
    return limits->serialises_fan_out(message);
  }
  // A negative kappa_2 says that large messages are not serialised.
  return limits->is_medium(message) || (limits->serialises_fan_in(message) && limits->large_correction >= 0);
}

bool EdgeCosts::are_independent() const {
  const ModelProperties properties = model_->properties();
  if (feels_contention(*model_) || properties.gets_data || properties.has_flows) {
    return false;
  }
  for (Rank parent = 0; parent < static_cast<Rank>(ranks()); ++parent) {
    for (Rank child = 0; child < static_cast<Rank>(ranks()); ++child) {
      if (child != parent && of(parent, child, message(block(child))).gap > 0) {
        return false;
      }
    }
  }
  return true;
}

EdgeCost EdgeCosts::of(Rank parent, Rank child, Bytes bytes) const {
  const bool down = direction_ == TreeDirection::kDown;
  const Rank source = down ? parent : child;
  const Rank target = down ? child : parent;
  TransferCost cost = model_->cost({.source = channels_->measured_rank(source),
                                    .target = channels_->measured_rank(target),
                                    .channel = channels_->channel_of(source, target),
                                    .bytes = bytes});
  if (combines_) {
    cost.receiver_busy += model_->combine_per_byte() * static_cast<double>(bytes);
  }
  if (down) {
    const Seconds busy = std::max(cost.sender_busy, cost.gap);
    return {.busy = busy, .rest = cost.total() - busy, .wire = cost.wire};
  }
  const Seconds gap = cost.receive_gap();
  const Seconds busy = std::max(cost.receiver_busy, gap);
  return {.busy = busy, .rest = cost.total() - busy, .wire = cost.wire, .taking_in = cost.receiver_busy, .gap = gap};
}

bool are_independent(const PlatformModel& platform, Collective collective, const ScheduleRequest& request) {
  const bool is_pair = collective == Collective::kAllgather;
  return EdgeCosts(platform, is_pair ? Collective::kGather : collective, request).are_independent();
}

}  // namespace postage
