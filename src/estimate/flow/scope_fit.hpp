#pragma once

#include "estimate/flow/protocols.hpp"

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace postage {

/// Experiments in which the messages' bytes take less of the time say nothing of what these share.
inline constexpr double kLeastStream = 0.02;

/// Finer differences, as a share of a time, mean nothing. Measurements that repeat so well are exact.
inline constexpr double kLeastScatter = 1e-3;

/// One message's cost from a size on.
struct FlowPiece {
  Bytes from_bytes = 0;
  Estimate latency;
  Estimate per_byte;
};

/// The one that costs messages of so many bytes.
[[nodiscard]] const FlowPiece& piece_at(const std::vector<FlowPiece>& pieces, Bytes bytes);

/// Sizes from one on, below another.
struct SizeRange {
  Bytes from = 0;
  Bytes end = std::numeric_limits<Bytes>::max();
};

/// What one message of a scope costs.
struct ScopeFit {
  const ScopeData* scope;
  std::vector<CurvePoint> points;
  double finest_scatter;  ///< that counts as none where points are cut into lines
  FlowProtocols protocols;
  std::vector<FlowPiece> pieces;        ///< of the wire alone, without what both processors do
  std::map<Bytes, Seconds> deviations;  ///< of what a message takes; of simulations: what interrupts real ones is rare
                                        ///< and does not change medians
  /// What larger messages than S take longer whose receiver does not wait for them yet.
  TimesBySize unawaited{};
  /// From their arrival until their senders go on.
  TimesBySize acknowledged{};
  Seconds start = 0;  ///< what groups of its channel need to start together

  /// `channel` is that of a pair.
  ScopeFit(const CampaignData& campaign, const ScopeData& data, const ScopeFit* channel = nullptr);

  [[nodiscard]] bool is_known() const { return !protocols.send.empty() || protocols.rendezvous_above.has_value(); }
  [[nodiscard]] bool is_eager(Bytes bytes) const {
    return !protocols.rendezvous_above || bytes <= *protocols.rendezvous_above;
  }
  [[nodiscard]] const FlowPiece& piece_at(Bytes bytes) const { return postage::piece_at(pieces, bytes); }
  /// The sizes of a piece.
  [[nodiscard]] SizeRange range_of(std::size_t piece) const;
  /// v: by how much latency and bytes' time vary, as a share of them. Median over the measured sizes of the range, of
  /// all sizes if there are none; 0 where that is nothing to speak of.
  [[nodiscard]] double scatter_in(const SizeRange& range) const;
  /// One eager message, sent as an answer.
  [[nodiscard]] Seconds alone(Bytes bytes) const;
  /// A larger one than S in a group that starts together, whose receiver does not wait for it yet.
  [[nodiscard]] Seconds rendezvous(Bytes bytes) const;
  /// From its arrival until its sender goes on; 0 for eager ones.
  [[nodiscard]] Seconds acknowledgement(Bytes bytes) const;
};

/// The scopes of one channel: itself first, then its pairs where these differ.
using ChannelFits = std::vector<ScopeFit*>;

/// The fits of the pairs that take part in an experiment, where pairs differ; of pairs that are like these where none
/// of them was measured alone; else the channel's.
[[nodiscard]] ChannelFits fits_for(const CampaignData& campaign, const Experiment& experiment, const ChannelFits& fits);

}  // namespace postage
