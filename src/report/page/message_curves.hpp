#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>

#include <string_view>

namespace postage {

/// What each model of a platform says of one message over each channel, at the sizes measured there: a list of
///   {"model", "channel", "sharing": messages that share the channel, this one included,
///    "bytes": [...], "seconds": [...], "lower": [...], "upper": [...]}
/// Times are the medians over the pairs measured; lower and upper those of the parameters' intervals. The chosen model
/// has one entry for each of 1, 2, 4 and 8 sharing messages if it feels contention. Where a model knows nothing of a
/// channel, its entry has "missing", the reason, instead of times. Models that this program does not know are left out.
/// Throws Error for parameters that make no model.
[[nodiscard]] Json message_curves(const Platform& platform, std::string_view chosen);

}  // namespace postage
