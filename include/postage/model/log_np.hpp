#pragma once

#include <postage/model/curve.hpp>
#include <postage/model/link_table.hpp>

#include <optional>
#include <vector>

namespace postage {

/// l = f(s, d): what a message of `bytes` in pieces `stride` bytes apart takes longer than a contiguous one; nothing
/// for a contiguous one (stride 0). Throws Error for a strided message where the model does not know l.
[[nodiscard]] inline Seconds strided_latency(const std::optional<CostSurface>& latency, Bytes bytes, Bytes stride) {
  if (stride == 0) {
    return 0;
  }
  if (!latency) {
    throw Error("the model knows contiguous messages only: its parameter l for strided ones was not given");
  }
  return latency->at(static_cast<double>(bytes), static_cast<double>(stride));
}

/// One of the implicit transfers of a message: a copy through a buffer, or the network.
struct ImplicitTransfer {
  CostCurve overhead;                    ///< o_i = f(s, 1)_i, contiguous
  std::optional<CostSurface> latency{};  ///< l_i = f(s, d)_i, over size and stride: on top of o_i for a strided message

  [[nodiscard]] Seconds seconds(Bytes bytes, Bytes stride) const {
    return overhead.at(static_cast<double>(bytes)) + strided_latency(latency, bytes, stride);
  }
};

/// The n implicit transfers of one communication level: the first keeps the sender's processor, the last the
/// receiver's, those between neither.
struct ImplicitTransfers {
  std::vector<ImplicitTransfer> transfers;

  /// O(n log points). There is no gap but the processors': the papers take g = o.
  [[nodiscard]] TransferCost cost(Bytes bytes, Bytes stride) const {
    TransferCost cost;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
      Seconds& part = i == 0 ? cost.sender_busy : i + 1 < transfers.size() ? cost.wire : cost.receiver_busy;
      part += transfers[i].seconds(bytes, stride);
    }
    return cost;
  }
};

/// K. W. Cameron, R. Ge, X.-H. Sun, log_nP and log_3P, IEEE Transactions on Computers 56(3), 2007: the sum of o_i + l_i
/// over n implicit transfers (Tu et al., Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009,
/// eq. 1). One set for every channel: the model knows no communication levels.
struct LogNP {
  ImplicitTransfers level;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    return level.cost(question.bytes, question.stride);
  }
};

/// Tu et al., section III.A: log_nP with its own n, o and l at each of m communication levels.
struct MLogNP {
  LinkTable<ImplicitTransfers> links;
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    return links.at(question).cost(question.bytes, question.stride);
  }
};

}  // namespace postage
