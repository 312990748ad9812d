#pragma once

#include <postage/model/flow.hpp>
#include <postage/predict/timeline/timeline.hpp>

#include <cstdint>
#include <span>

namespace postage {

/// What is left to chance; another one for another `seed`.
struct FlowChance {
  /// Each rank starts at its own moment of the first so many seconds.
  Seconds spread = 0;
  /// Each message takes its own time, with the model's standard deviation v: the latency and the time for a byte are
  /// multiplied by 1 + v(e - 0.839), each with an e of its own, exponential with mean 1: disturbances
  /// are rare and some are long. So the median of two messages' mean, as a roundtrip is, is the model's.
  bool scatters = false;
  std::uint64_t seed = 0;
};

/// Plays a schedule as ranks with one processor each and messages that are flows (see Flow):
///
///   source   | o_s |                                      (rendezvous: until the message has arrived)
///   wire           |- L -|=== bytes, at a rate that changes ===|
///   target                                                     | o_r |
///
/// A message leaves when its source has started it, or, where it is awaited, also no sooner than its target has posted
/// the receive. Whenever a flow comes or goes, those that share something with it get max-min fair rates anew: all
/// messages between two ranks share B_pair, all that leave (enter) a rank B_send (B_receive), all that leave (enter) a
/// node B_node of that channel, all inside a node B_node of theirs; and those between nodes the links of the network on
/// their route (NetworkLinks).
///
/// Where a receiver's processor moves the bytes of a rendezvous (R), those to one rank come one after the other.
///
/// What a rank received, combined or copied is its own writing: a message with m such bytes starts w(m) later. So does
/// one whose bytes the rank wrote at last when the same collective ran before, on the same memory, after it had sent
/// them. Where the model knows what copying takes, ranks copy and combine what their programs do; a rendezvous waits
/// until its receiver is done with that.
///
/// A rank posts the receives of a round when it enters it, or already when it waits in the one before; starts its sends
/// in order; takes in what arrives in the order of arrival; and then combines it. Where nothing is shared and all
/// messages are eager it is `play` without gaps.
///
/// O(messages log messages) time, and for each flow that comes or goes that of sharing anew: O(flows that are joined
/// with it by what they share); O(messages) memory. Throws Error where the mapping is too small or a channel is
/// unknown.
[[nodiscard]] Timeline play_flows(const Schedule& schedule, const ChannelMap& channels, const Flow& model,
                                  const FlowChance& chance = {});

/// One message of some that start at once.
struct StartedMessage {
  Rank source = 0;
  Rank target = 0;
  Bytes bytes = 0;
};

/// Plays messages that start together among so many ranks: each rank sends its own, in their order, and waits for those
/// to it.
[[nodiscard]] Timeline play_messages(std::span<const StartedMessage> messages, Rank ranks, const ChannelMap& channels,
                                     const Flow& model);

/// Starts at less than this distance are together for whoever calls a collective.
inline constexpr Seconds kStartSpread = 100e-9;

/// Seconds of a schedule, from the start of the first rank to the end of the last, where ranks start within
/// kStartSpread; where t_0 is known, which holds half of that distance, within no more than twice t_0. Ranks that share
/// links do not stay in step: what one gains by a nanosecond grows from round to round, until messages of different
/// rounds meet, which can take half as long again, or less long, than a march in lockstep that no machine keeps up;
/// where messages scatter by themselves, so do they. The median of plays, each with another chance, until it is settled
/// (is_median_settled): at least three, at most 45.
[[nodiscard]] Seconds flow_seconds(const Schedule& schedule, const ChannelMap& channels, const Flow& model);

/// About the same, where each resource by itself gives equal portions to the messages that use it, whatever slows these
/// elsewhere: what messages do together takes as long, but what one of them cannot take is not the others'. Rates are
/// never computed anew: O(messages log messages) time. Of fewer plays: one above 10,000 messages.
[[nodiscard]] Seconds portion_seconds(const Schedule& schedule, const ChannelMap& channels, const Flow& model);

}  // namespace postage
