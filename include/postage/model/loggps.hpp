#pragma once

#include <postage/model/loggp.hpp>
#include <postage/model/properties.hpp>

namespace postage {

struct LogGPSLink {
  LogGPLink message;
  Bytes eager_limit = 0;   ///< S: larger messages meet their receiver first
  Seconds rendezvous = 0;  ///< h: its cost; 2(L + o_s + o_r), a request and its reply, where not given
};

/// F. Ino, N. Fujimoto, K. Hagihara, LogGPS, PPOPP 2001: LogGP, and above S bytes a rendezvous before the message
/// leaves, during which the sender waits (Rico-Gallego et al., 2015, section 2). What a receiver that comes late adds
/// is no part of one transfer's cost.
struct LogGPS {
  static constexpr ModelProperties kProperties{.knows_rendezvous = true};

  LinkTable<LogGPSLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const LogGPSLink& link = links.at(question);
    TransferCost cost = link.message.cost(question.bytes);
    const bool is_eager = question.protocol == Protocol::kEager ||
                          (question.protocol != Protocol::kRendezvous && question.bytes <= link.eager_limit);
    if (!is_eager) {
      cost.sender_busy += link.rendezvous;
      cost.gap += link.rendezvous;
      cost.handshake = link.rendezvous;
    }
    return cost;
  }
};

}  // namespace postage
