#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/link_table.hpp>

#include <algorithm>

namespace postage {

struct PLogPLink {
  Seconds latency = 0;         ///< L
  CostCurve send_overhead;     ///< o_s(m)
  CostCurve receive_overhead;  ///< o_r(m)
  CostCurve gap;               ///< g(m), at least either overhead
};

/// T. Kielmann, H. E. Bal, K. Verstoep, Fast measurement of LogP parameters for message passing platforms, IPDPS 2000:
/// L + g(m), where o_s(m), o_r(m) and g(m) are piecewise linear, L is constant, and g(m) covers both overheads
/// (Lastovetsky and Rychkov, IJHPCA 23(2), 2009, section 2). Long messages' overheads overlap where they exceed
/// L + g(m) together.
struct PLogP {
  LinkTable<PLogPLink> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const PLogPLink& link = links.at(question);
    const auto size = static_cast<double>(question.bytes);
    const Seconds send = link.send_overhead.at(size);
    const Seconds receive = link.receive_overhead.at(size);
    // Beyond the measured sizes, and at the ends of the parameters' intervals, the three may cross.
    const Seconds gap = std::max({link.gap.at(size), send, receive});
    const Seconds rest = link.latency + gap - send;
    const Seconds receiver_busy = std::min(receive, rest);
    return {.sender_busy = send, .wire = rest - receiver_busy, .receiver_busy = receiver_busy, .gap = gap};
  }
};

}  // namespace postage
