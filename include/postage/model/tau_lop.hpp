#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/link_table.hpp>
#include <postage/model/properties.hpp>

#include <algorithm>

namespace postage {

/// How a message over one channel travels: as transfers on that channel, and where it leaves a node also through the
/// memory at its two ends, which is a channel of its own:
///
///   shared memory   sender's buffer -- L0 --> shared buffer -- L0 --> receiver's buffer
///   network         sender's buffer -- L0 --> NIC -- L1 --> NIC -- L0 --> receiver's buffer
struct TauLopLink {
  CostCurve overhead;         ///< o(m): until data enters the channel, with the protocol's time
  CostSurface transfer;       ///< L(m, tau): tau concurrent transfers of m bytes each
  double transfers = 1;       ///< on this channel
  ChannelId end_channel = 0;  ///< the memory at the two ends
  double end_transfers = 0;   ///< on the end channel, at each end
  /// S: messages through a shared buffer go in segments of this size; 0 for whole ones.
  Bytes segment = 0;

  /// A message is copied into a buffer on this channel, and out of it.
  [[nodiscard]] bool has_shared_buffer() const { return transfers == 2 && end_transfers == 0; }
};

/// Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015, section 3 (tau-Lop): o(m)
/// plus L(m, tau) for each of the transfers of a message, where tau transfers share a channel; through shared
/// memory o(m) + 2 L(m, 1). Concurrency never multiplies the overhead.
struct TauLop {
  static constexpr ModelProperties kProperties{
      .feels_contention = true, .moves_in_step = true, .feels_exchange = true, .segment_symbol = "S"};

  LinkTable<TauLopLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const TauLopLink& link = links.at(question);
    if (link.segment > 0 && question.bytes > link.segment) {
      return segmented_cost(link, question);
    }
    if (link.end_transfers > 0) {
      return cost_through_memory(link, question);
    }
    const auto size = static_cast<double>(question.bytes);
    const Seconds overhead = link.overhead.at(size);
    const Seconds between = link.transfer.at(size, question.concurrency);
    if (link.transfers < 2) {
      return {.sender_busy = overhead + between};
    }
    return {.sender_busy = overhead + link.transfer.at(size, leaving(question)),
            .wire = (link.transfers - 2) * between,
            .receiver_busy = link.transfer.at(size, arriving(question))};
  }

 private:
  /// Transfers that share the memory with the first and with the last of a message through it: at least those that
  /// share its channel.
  [[nodiscard]] static double leaving(const TransferQuestion& question) {
    return std::max(question.concurrency, question.sending_concurrency);
  }
  [[nodiscard]] static double arriving(const TransferQuestion& question) {
    return std::max(question.concurrency, question.receiving_concurrency);
  }

  [[nodiscard]] TransferCost cost_through_memory(const TauLopLink& link, const TransferQuestion& question) const {
    const auto size = static_cast<double>(question.bytes);
    const TauLopLink& end = links.at({.channel = link.end_channel, .bytes = question.bytes});
    return {.sender_busy =
                link.overhead.at(size) + link.end_transfers * end.transfer.at(size, question.sending_concurrency),
            .wire = link.transfers * link.transfer.at(size, question.concurrency),
            .receiver_busy = link.end_transfers * end.transfer.at(size, question.receiving_concurrency)};
  }

  /// Section 4: k segments through a shared buffer; the first and the last transfer run alone, those between in pairs:
  /// 2 L(S, 1) + (k-1) L(S, 2). The paper then writes o(m) + k L(S, 2); this is the exact one, plus o(m). Where the
  /// receiver sends too, nothing overlaps: k transfers into the buffer, then k out of it, 2k L(S, 1) (eq. 2).
  [[nodiscard]] static TransferCost segmented_cost(const TauLopLink& link, const TransferQuestion& question) {
    if (!link.has_shared_buffer()) {
      throw UsageError(
          "tau-Lop's messages go in segments through one shared buffer (n = 2) only; those over this channel do not");
    }
    const auto whole = static_cast<double>(link.segment);
    const Bytes more = (question.bytes - 1) / link.segment;
    const auto last = static_cast<double>(question.bytes - more * link.segment);
    if (question.receiver_sends) {
      const auto transfers = [&](double tau) {
        return static_cast<double>(more) * link.transfer.at(whole, tau) + link.transfer.at(last, tau);
      };
      return {.sender_busy = link.overhead.at(static_cast<double>(question.bytes)) + transfers(leaving(question)),
              .receiver_busy = transfers(arriving(question))};
    }
    const double pairs = leaving(question) + arriving(question);
    return {.sender_busy = link.overhead.at(static_cast<double>(question.bytes)) +
                           link.transfer.at(whole, leaving(question)) +
                           static_cast<double>(more) * link.transfer.at(whole, pairs),
            .receiver_busy = link.transfer.at(last, arriving(question))};
  }
};

}  // namespace postage
