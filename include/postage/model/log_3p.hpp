#pragma once

#include <postage/model/log_np.hpp>

namespace postage {

/// Middleware and network of one communication level, as functions of the size and, for l_mw, of the stride. Half of
/// the middleware's time is the sender's, half the receiver's ("the costs at point i = 0 and i = 2 are regarded as
/// equal", Tu et al., section II.A).
struct MiddlewareLevel {
  CostCurve overhead;                    ///< o_mw = o_0 + o_2
  std::optional<CostSurface> latency{};  ///< l_mw = l_0 + l_2, over size and stride
  CostCurve network;                     ///< o_net = o_1; nothing within a node

  /// o_mw + l_mw.
  [[nodiscard]] Seconds middleware(Bytes bytes, Bytes stride) const {
    return overhead.at(static_cast<double>(bytes)) + strided_latency(latency, bytes, stride);
  }
  [[nodiscard]] TransferCost cost(Bytes bytes, Bytes stride) const {
    const Seconds half = middleware(bytes, stride) / 2;
    return {.sender_busy = half, .wire = network.at(static_cast<double>(bytes)), .receiver_busy = half};
  }
};

/// K. W. Cameron, R. Ge, X.-H. Sun, IEEE Transactions on Computers 56(3), 2007: o_mw + l_mw + o_net (Tu et al., eq. 3),
/// the same for every channel.
struct Log3P {
  MiddlewareLevel level;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    return level.cost(question.bytes, question.stride);
  }
};

}  // namespace postage
