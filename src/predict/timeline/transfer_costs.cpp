#include "predict/timeline/transfer_costs.hpp"

namespace postage {

TransferCosts::TransferCosts(const ChannelMap& channels, const Model& model)
    : channels_(channels), model_(model), by_ranks_(depends_on_ranks(model)) {}

bool TransferCosts::share_a_node(Rank a, Rank b) const {
  const Mapping& mapping = channels_.mapping();
  return mapping.placement_of(a).node == mapping.placement_of(b).node;
}

ChannelId TransferCosts::channel_of(Rank source, Rank target) {
  if (channels_.is_single()) {
    return 0;
  }
  if (share_a_node(source, target) || !channels_.has_one_network()) {
    return channels_.channel_of(source, target);
  }
  if (!between_nodes_) {
    between_nodes_ = channels_.channel_of(source, target);
  }
  return *between_nodes_;
}

TransferCost TransferCosts::compute(const TransferQuestion& question, const TransferForm& form) {
  const TransferCost answer = protocol_cost(model_, question, form);
  has_gaps_ = has_gaps_ || answer.receive_gap() > 0;
  return answer;
}

const TransferCost& TransferCosts::of(Rank source, Rank target, ChannelId channel, Bytes bytes,
                                      const TransferForm& form) {
  const auto slot = by_ranks_ ? 0 : (static_cast<std::size_t>(bytes ^ (bytes >> 6)) + 7 * channel) % kKnown;
  Known& known = known_[slot];
  if (by_ranks_) {
    known.cost = compute({.source = channels_.measured_rank(source),
                          .target = channels_.measured_rank(target),
                          .channel = channel,
                          .bytes = bytes},
                         form);
  } else if (known.bytes != bytes || known.channel != channel || !(known.form == form)) {
    known = {channel, bytes, form, compute({.channel = channel, .bytes = bytes}, form)};
  }
  return known.cost;
}

}  // namespace postage
