#pragma once

#include "estimate/flow/scope_fit.hpp"

#include <optional>

namespace postage {

/// h: by how much a message that keeps no sender takes longer where it is sent as a rendezvous, over what it takes
/// without what a late receive takes. Empty where none was measured so, or none takes longer by a twentieth.
[[nodiscard]] ParameterCurve handshake_times(const ScopeFit& fit);

/// d(m): what such messages take longer, beside h, that each rank passes on as it received them. Nothing where no size
/// shows any.
[[nodiscard]] ParameterCurve written_handshake_times(const ScopeFit& fit);

/// w(m): what messages that each rank passes on as it received them take longer than those of which nothing was written
/// since, from echoes of eager ones or from those of larger ones, which another protocol moves. Nothing where no size
/// shows any.
[[nodiscard]] ParameterCurve written_times(const ScopeFit& fit, bool eager);

/// u(m): what a copy over memory that the scope's other end has fetched takes longer than one within memory of its own.
/// Nothing where no size shows any.
[[nodiscard]] ParameterCurve overwriting_times(const CampaignData& campaign, const ScopeFit& fit);

/// z(m): what messages take longer that are sent when their receiver begins to wait, over those of roundtrips, whose
/// receivers wait before: eager ones, or larger ones than S. Inside a real node; empty where no size shows any.
[[nodiscard]] TimesBySize unawaited_times(const CampaignData& campaign, const ScopeFit& fit, bool eager);

/// a(m): how much longer messages that keep their sender do so than they are under way, m of more bytes than S. Inside
/// a real node; empty where no size shows any.
[[nodiscard]] TimesBySize acknowledged_times(const CampaignData& campaign, const ScopeFit& fit);

/// The smallest size of messages that their receivers fetch: larger than S, and than all that take longer where they
/// are sent as a rendezvous, which those that are one do not. Where even the largest do, that is another protocol and
/// says nothing.
[[nodiscard]] Bytes fetched_from(const ScopeFit& fit);

/// Messages that their receiver's processor fetches, one after the other.
struct FetchedMessages {
  Bytes from = 0;  ///< see fetched_from
  /// R: the share of its latency that each message of a train adds; those of a network spend theirs at the same time.
  double in_turn = 1;
  /// D: an exchange in segments takes much longer than as many exchanges, since each rank takes in what the other had
  /// begun to send before it sends its own next one.
  bool drains = false;
};

/// Only within a real node; nothing where R is little.
[[nodiscard]] std::optional<FetchedMessages> fetched_messages(const CampaignData& campaign, const ScopeFit& fit);

/// y(m): what two messages take longer that two ranks fetch from one another at once; nothing where no size shows any.
[[nodiscard]] ParameterCurve crossing_times(const CampaignData& campaign, const ScopeFit& fit,
                                            const FetchedMessages& fetched);

/// F by size: whether messages of answered trains moved one after another, by most of the pairs. Of messages between
/// nodes: within one, a rank that still sends looks for the answer later. Empty where there are none.
[[nodiscard]] std::map<Bytes, bool> order_of_trains(const ScopeFit& fit);

/// The same of messages of a range: by the sizes in it, else by the largest below it, else by the smallest.
[[nodiscard]] bool moves_in_order(const std::map<Bytes, bool>& order, const SizeRange& range);

}  // namespace postage
