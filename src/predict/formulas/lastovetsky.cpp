#include "predict/formulas/numbers.hpp"

#include <postage/predict/formulas/lastovetsky.hpp>

#include <algorithm>
#include <limits>

namespace postage::closed_form {
namespace {

Seconds message(const Hockney& model, std::int32_t source, std::int32_t target, Bytes bytes, ChannelId channel) {
  return model.cost({.source = source, .target = target, .channel = channel, .bytes = bytes}).total();
}

struct Contributions {
  Seconds root = 0;     ///< n(C_0 + t_0 M)
  Seconds largest = 0;  ///< of the others' C_i + t_i M + M/beta_0i
  Seconds sum = 0;
};

Contributions contributions(const Lmo& model, const LinearRequest& request) {
  Contributions found;
  for (const std::int32_t other : request.others) {
    const TransferCost cost =
        model.cost({.source = request.root, .target = other, .channel = request.channel, .bytes = request.block});
    const Seconds beyond_root = cost.wire + cost.receiver_busy;
    found.root += cost.sender_busy;
    found.largest = std::max(found.largest, beyond_root);
    found.sum += beyond_root;
  }
  return found;
}

}  // namespace

Seconds binomial_scatter(const HockneyLink& link, std::int64_t ranks, Bytes block) {
  return number(exact_log2(ranks, "the binomial scatter")) * link.latency +
         number(ranks - 1) * link.seconds_per_byte * number(block);
}

Seconds binomial_scatter(const Hockney& model, std::span<const std::int32_t> order, Bytes block, ChannelId channel) {
  static_cast<void>(exact_log2(static_cast<std::int64_t>(order.size()), "the binomial scatter"));
  if (order.size() == 1) {
    return 0;
  }
  const std::size_t half = order.size() / 2;
  return message(model, order[0], order[half], static_cast<Bytes>(half) * block, channel) +
         std::max(binomial_scatter(model, order.first(half), block, channel),
                  binomial_scatter(model, order.subspan(half), block, channel));
}

Seconds small_linear_scatter(const Lmo& model, const LinearRequest& request) {
  const Contributions all = contributions(model, request);
  return all.root + all.largest;
}

Seconds large_linear_scatter(const Lmo& model, const LinearRequest& request) {
  const Contributions all = contributions(model, request);
  return all.root + all.sum;
}

Seconds linear_scatter(const Lmo& model, const LinearRequest& request) {
  return request.block <= model.fan_limits.scatter_step ? small_linear_scatter(model, request)
                                                        : large_linear_scatter(model, request);
}

Seconds small_linear_gather(const Lmo& model, const LinearRequest& request) {
  return small_linear_scatter(model, request) + model.fan_limits.small_correction * number(request.block);
}

Seconds large_linear_gather(const Lmo& model, const LinearRequest& request) {
  return large_linear_scatter(model, request) + model.fan_limits.large_correction * number(request.block);
}

Seconds large_linear_gather_as_printed(const Lmo& model, const LinearRequest& request) {
  if (request.others.empty()) {
    return 0;
  }
  const Contributions all = contributions(model, request);
  return large_linear_gather(model, request) - all.root / number(static_cast<std::int64_t>(request.others.size()));
}

Interval linear_gather(const Lmo& model, const LinearRequest& request) {
  if (request.others.empty()) {
    return {};
  }
  const FanLimits& limits = model.fan_limits;
  const Seconds small = small_linear_gather(model, request);
  const Seconds large = large_linear_gather(model, request);
  if (limits.is_medium(request.block)) {
    return {std::min(small, large), std::max(small, large) + limits.longest_escalation()};
  }
  return request.block > limits.gather_large ? Interval{large, large} : Interval{small, small};
}

}  // namespace postage::closed_form
