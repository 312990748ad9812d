#include <postage/model/segments.hpp>
#include <postage/model/tau_lop.hpp>

#include <algorithm>

namespace postage {
namespace {

/// Messages of a model without segments of its own.
struct SegmentedMessages {
  Model whole;
  Bytes segment = 1;
  ModelProperties properties;
  double combine_per_byte = 0;
  bool by_ranks = false;
  HostOverheads host{};

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    if (question.bytes <= segment) {
      return whole.cost(question);
    }
    const Bytes more = (question.bytes - 1) / segment;
    TransferQuestion one = question;
    one.bytes = segment;
    const TransferCost full = whole.cost(one);
    one.bytes = question.bytes - more * segment;
    const TransferCost last = whole.cost(one);
    const Seconds spacing = std::max({full.sender_busy, full.receiver_busy, full.gap});
    const Seconds before = static_cast<double>(more) * spacing;
    // A shorter last segment waits until the receiver has the one before it.
    const Seconds wire = std::max(last.wire, full.total() - spacing - last.sender_busy);
    return {.sender_busy = before + last.sender_busy,
            .wire = wire,
            .receiver_busy = last.receiver_busy,
            .gap = before + last.gap};
  }
};

TauLop with_segment(TauLop model, Bytes segment) {
  model.links.change([&](TauLopLink& link) { link.segment = segment; });
  return model;
}

}  // namespace

Model in_segments(const Model& model, Bytes segment) {
  if (const auto* tau_lop = model.target<TauLop>()) {
    return with_segment(*tau_lop, segment);
  }
  ModelProperties properties = model.properties();
  properties.has_flows = false;
  return SegmentedMessages{model,       segment, properties, model.combine_per_byte(), model.depends_on_ranks(),
                           model.host()};
}

}  // namespace postage
