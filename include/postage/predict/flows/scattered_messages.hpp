#pragma once

#include <postage/predict/flows/flows.hpp>

#include <cstdint>
#include <span>

namespace postage {

/// Plays messages that start together, as play_messages does, where each takes its own time (see FlowChance): once with
/// about the mean of many plays. The e of n messages are the middles of n equal shares of their distribution, in an
/// order as if by chance, another one for another `seed`.
[[nodiscard]] Timeline play_scattered_messages(std::span<const StartedMessage> messages, Rank ranks,
                                               const ChannelMap& channels, const Flow& model, std::uint64_t seed);

}  // namespace postage
