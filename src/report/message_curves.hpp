#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/platform.hpp>

namespace postage {

/// What each model of a platform says of one message over each channel, at the sizes measured there: a list of
///   {"model", "channel", "sharing": messages that share the channel, this one included,
///    "bytes": [...], "seconds": [...], "lower": [...], "upper": [...]}
/// Times are the medians over the pairs measured; lower and upper those of the parameters' intervals. Models that feel
/// contention have one entry for 1, 2, 4 and 8 sharing messages. Where a model knows nothing of a channel, its entry
/// has "missing", the reason, instead of times. Models that this program does not know are left out. Throws Error for
/// parameters that make no model.
[[nodiscard]] Json message_curves(const Platform& platform);

/// The units of all parameters of a platform's models: {model: {symbol: unit}}.
[[nodiscard]] Json parameter_units(const Platform& platform);

}  // namespace postage
