#pragma once

#include "estimate/flow/scope_fit.hpp"

#include <optional>

namespace postage {

/// Groups slower than one message alone by less than this factor do not count as sharing.
inline constexpr double kNoticeable = 1.05;

/// Groups that were active at once over a channel: how long their bytes took, against those of one alone.
struct Sharing {
  double ratio = 1;
  double rate = 0;  ///< bytes per second, all together
};

/// How an experiment of several ranks compares with one message alone: the slowest, where pairs differ. Nothing for
/// experiments of other kinds, or where bytes take too little of the time.
[[nodiscard]] std::optional<Sharing> sharing_in(const CampaignData& campaign, const Measurement& measurement,
                                                const ChannelFits& fits);

/// B_pair of messages of a piece from one rank to another: they share what one of them alone fills, or more where those
/// of a train follow one another faster. Nothing where the train waited for either end, or for something else than
/// bytes.
[[nodiscard]] std::optional<double> pair_limit(const ScopeFit& fit, const FlowPiece& piece);

}  // namespace postage
