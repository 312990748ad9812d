#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/host_overheads.hpp>
#include <postage/model/link_table.hpp>
#include <postage/model/properties.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace postage {

/// Seconds per byte below which the messages of a group cannot go together, whatever each could do alone; 0 where they
/// do not slow one another down.
struct FlowLimits {
  double pair = 0;      ///< messages from one rank to one other
  double sender = 0;    ///< all that leave a rank
  double receiver = 0;  ///< all that enter a rank
  /// Between nodes: all that leave a node, and all that enter one. Inside a node: all.
  double node = 0;
  bool operator==(const FlowLimits&) const = default;
};

struct FlowLink {
  CostCurve send_overhead;      ///< o_s(m)
  CostCurve receive_overhead;   ///< o_r(m)
  HostLinkOverheads host{};     ///< w(m) and v
  Seconds latency = 0;          ///< L
  double seconds_per_byte = 0;  ///< G, of a message alone
  FlowLimits limits;
  /// x: what a message's acknowledgements take of the opposite direction, as a share of its rate.
  double reverse_share = 0;
  /// k: how long a byte occupies links of the network, and hosts' own, over what one of the largest messages does.
  double occupancy = 1;
  /// S: larger messages keep their sender until they have arrived.
  Bytes rendezvous_above = std::numeric_limits<Bytes>::max();
  /// E: messages of at least so many bytes leave only when they are awaited.
  Bytes awaited_from = std::numeric_limits<Bytes>::max();

  /// R: its receiver's processor moves the bytes of a rendezvous, and of one at a time; of a further one this share of
  /// L is the processor's work. 0 where messages move by themselves.
  double in_turn = 0;
  CostCurve further{};  ///< r(m): what such a further one takes, where that is known instead of R
  Seconds release = 0;  ///< g: between the starts of two that are fetched from one rank
  /// D: before a receiver goes on, it takes in what others had begun to send to it.
  bool drains = false;
  /// F: messages from one rank to another move one after another, in the order in which they were sent.
  bool in_order = false;

  [[nodiscard]] bool is_rendezvous(Bytes bytes) const { return bytes > rendezvous_above; }
  [[nodiscard]] bool is_awaited(Bytes bytes) const { return bytes >= awaited_from || is_rendezvous(bytes); }
};

/// What messages between nodes that are under way at once make of one another's rates, beside what they share, as on
/// InfiniBand (J. Vienne, Prediction de performances d'applications de calcul haute performance sur reseau Infiniband,
/// Grenoble, 2010). Each of n > 1 messages that leave a node is `sending` n times slower than alone, and `crossing`
/// times more where one of them goes to a node that more than two go to. Each of those that enter a node from h nodes,
/// c from its own, is `receiving` c h times slower. The larger holds.
struct FlowPenalties {
  double sending = 0;    ///< beta_s
  double receiving = 0;  ///< beta_e
  double crossing = 1;   ///< gamma_s
  [[nodiscard]] bool any() const { return sending > 0 || receiving > 0; }
};

/// Of a rank's processor and its node, where ranks differ.
struct FlowProcessor {
  CostCurve send_overhead;
  CostCurve receive_overhead;
  std::optional<ChannelId> channel{};  ///< the only one that it is for
  FlowLimits limits{};                 ///< of sender, receiver and node, towards other nodes; 0 where the link's hold
};

/// LogGP whose messages are flows: o_s(m) + L + G m + o_r(m) alone, and together at rates that share what they have in
/// common max-min fairly (D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2; for messages of MPI, which
/// share by their latencies, P. Velho, L. Schnorr, H. Casanova, A. Legrand, ACM TOMACS 23(4), 2013), with the eager and
/// rendezvous protocols of LogGPS. `predict/flows/flows.hpp` follows the flows; where a question gives a number of
/// concurrent transfers, they are taken to share the node's limit evenly.
struct Flow {
  static constexpr ModelProperties kProperties{
      .feels_contention = true, .has_flows = true, .has_curves_of_one_protocol = true};

  LinkTable<FlowLink> links;
  std::vector<std::optional<FlowProcessor>> processors{};  ///< [rank]; those that have none take the link's
  HostOverheads host{};
  double combine_per_byte = 0;  ///< gamma, s/B
  /// q: messages that compete have rates in proportion to (L + W s)^-q, as TCP's have to their round-trip times; s is
  /// the sum of the seconds per byte of the links on their way.
  double share_exponent = 0;
  double share_bytes = 0;  ///< W
  /// e: bytes that a network adds to each message between nodes. Alone, L has them; together, they share what it does.
  double envelope = 0;
  FlowPenalties penalties{};  ///< between nodes

  /// Of a message that does not wait for its receiver.
  [[nodiscard]] Seconds send_overhead(const FlowLink& link, std::int32_t source, ChannelId channel, Bytes bytes) const {
    const FlowProcessor* own = processor(source, channel);
    return (own != nullptr ? own->send_overhead : link.send_overhead).at(static_cast<double>(bytes));
  }
  [[nodiscard]] Seconds receive_overhead(const FlowLink& link, std::int32_t target, ChannelId channel,
                                         Bytes bytes) const {
    const FlowProcessor* own = processor(target, channel);
    return (own != nullptr ? own->receive_overhead : link.receive_overhead).at(static_cast<double>(bytes));
  }

  /// Of messages between nodes, at the end that is `rank`.
  [[nodiscard]] FlowLimits limits(const FlowLink& link, std::int32_t rank, ChannelId channel) const {
    FlowLimits limits = link.limits;
    if (const FlowProcessor* own = processor(rank, channel)) {
      const auto own_or = [&](double of_rank, double of_link) {
        return of_rank > 0 ? of_rank * link.occupancy : of_link;
      };
      limits.sender = own_or(own->limits.sender, limits.sender);
      limits.receiver = own_or(own->limits.receiver, limits.receiver);
      limits.node = own_or(own->limits.node, limits.node);
    }
    return limits;
  }

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const FlowLink& link = links.at(question);
    const FlowLimits at_source = limits(link, question.source, question.channel);
    const FlowLimits at_target = limits(link, question.target, question.channel);
    const auto size = static_cast<double>(question.bytes);
    const double of_nodes = question.concurrency * std::max(at_source.node, at_target.node);
    const Seconds wire = link.latency + std::max(link.seconds_per_byte, of_nodes) * size;
    if (link.is_rendezvous(question.bytes)) {
      const Seconds acknowledged = link.host.acknowledged.at(size);
      return {.sender_busy = wire, .gap = wire + acknowledged, .handshake = link.latency + acknowledged};
    }
    return {.sender_busy = send_overhead(link, question.source, question.channel, question.bytes),
            .wire = wire,
            .receiver_busy = receive_overhead(link, question.target, question.channel, question.bytes),
            .gap = std::max({link.limits.pair, at_source.sender, at_target.receiver, of_nodes}) * size};
  }

 private:
  [[nodiscard]] const FlowProcessor* processor(std::int32_t rank, ChannelId channel) const {
    const auto at = static_cast<std::size_t>(rank);
    const bool has_own = rank >= 0 && at < processors.size() && processors[at];
    return has_own && processors[at]->channel.value_or(channel) == channel ? &*processors[at] : nullptr;
  }
};

}  // namespace postage
