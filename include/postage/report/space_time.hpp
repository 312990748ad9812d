#pragma once

#include <postage/schedule/schedule.hpp>

#include <functional>
#include <string>

namespace postage {

/// ShmEndpoint of a message in a drawing; "" where all are alike.
using ChannelNamer = std::function<std::string(Rank source, Rank target)>;

/// A space-time diagram as a standalone SVG: a line a rank, a column a round, an arrow a message, coloured by channel
/// and labelled with its size. Throws Error above 64 ranks or 4,096 messages, where nothing could be told apart.
[[nodiscard]] std::string draw_space_time(const Schedule& schedule, const ChannelNamer& channel_of);

}  // namespace postage
