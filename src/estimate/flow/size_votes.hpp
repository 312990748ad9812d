#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace postage {

/// Sizes, ascending, and whether messages of the size do something.
using SizeVotes = std::vector<std::pair<Bytes, bool>>;

/// A send that takes at least this share of the message's time waits for its end; a receive that comes late and takes
/// this share of what is left after the sender's overhead waited for its start.
inline constexpr double kWholeSend = 0.85;
inline constexpr double kWholeReceive = 0.9;

/// Whether messages keep their senders, by most of the pairs that were measured at a size, each by its own times: pairs
/// take different times, and not all are measured at all sizes. Empty without overheads.
[[nodiscard]] SizeVotes kept_by_pairs(const ScopeData& scope);

/// Whether messages leave only when they are awaited, likewise, with what the other rank's sends take.
[[nodiscard]] SizeVotes awaited_by_pairs(const CampaignData& campaign, const ScopeData& scope);

/// The first size from which on messages do it, as a place in `votes`, and their end where none do. Where noise has
/// single sizes say otherwise, the place that fewest of them contradict.
[[nodiscard]] std::size_t first_that_do(const SizeVotes& votes);

}  // namespace postage
