#pragma once

#include "estimate/flow/scope_fit.hpp"

namespace postage {

/// h: by how much a message that keeps no sender takes longer where it is sent as a rendezvous, over what it takes
/// without what a late receive takes. Empty where none was measured so, or none takes longer by a twentieth.
[[nodiscard]] ParameterCurve handshake_times(const ScopeFit& fit);

/// w(m): what messages that each rank passes on as it received them take longer than those of which nothing was written
/// since, from echoes of eager ones or from those of larger ones, which another protocol moves. Nothing where no size
/// shows any.
[[nodiscard]] ParameterCurve written_times(const ScopeFit& fit, bool eager);

/// True where a train's messages, each a rendezvous, take turns: what each adds holds most of its latency too, which
/// those of a network would spend at the same time. Only within a real node.
[[nodiscard]] bool takes_in_one(const CampaignData& campaign, const ScopeFit& fit);

}  // namespace postage
