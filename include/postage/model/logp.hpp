#pragma once

#include <postage/model/link_table.hpp>

#include <algorithm>

namespace postage {

struct LogPLink {
  Seconds latency = 0;           ///< L
  Seconds send_overhead = 0;     ///< o_s
  Seconds receive_overhead = 0;  ///< o_r
  Seconds gap = 0;               ///< g
  /// Bytes that one of the model's small messages of fixed size carries; 0 where every message is one.
  Bytes packet = 0;

  /// Time from one packet of a message to the next: the larger of the gap and either end's overhead.
  [[nodiscard]] Seconds spacing() const { return std::max({gap, send_overhead, receive_overhead}); }
};

/// D. Culler, R. Karp, D. Patterson, A. Sahay, K. E. Schauser, E. Santos, R. Subramonian, T. von Eicken, LogP, PPOPP
/// 1993: o_s + L + o_r for a small message of fixed size (Lastovetsky and Rychkov, IJHPCA 23(2), 2009, section 2). A
/// longer one is sent as several, one every max(g, o), which keep the sender's processor until the last has left.
struct LogP {
  LinkTable<LogPLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const LogPLink& link = links.at(question);
    const Bytes more = link.packet > 0 && question.bytes > 0 ? (question.bytes - 1) / link.packet : 0;
    const Seconds train = static_cast<double>(more) * link.spacing();
    return {.sender_busy = train + link.send_overhead,
            .wire = link.latency,
            .receiver_busy = link.receive_overhead,
            .gap = train + link.gap};
  }
};

}  // namespace postage
