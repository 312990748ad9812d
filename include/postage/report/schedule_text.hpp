#pragma once

#include <postage/base/json.hpp>
#include <postage/base/strides.hpp>
#include <postage/report/space_time.hpp>

#include <map>
#include <string>

namespace postage {

/// What a schedule sends over one channel.
struct ChannelTraffic {
  Index messages = 0;
  Bytes bytes = 0;
};

/// By the channel's name. O(messages).
[[nodiscard]] std::map<std::string, ChannelTraffic> traffic_by_channel(const Schedule& schedule,
                                                                       const ChannelNamer& channel_of);

/// A line for each round with its first messages; a long schedule is cut in its middle. Of strided messages also their
/// pieces. O(messages).
[[nodiscard]] std::string rounds_text(const Schedule& schedule, const ChannelNamer& channel_of,
                                      const Strides& strides = {});

/// Every message of every round; of strided ones also their pieces and the memory from their first to their last byte.
/// O(messages).
[[nodiscard]] Json schedule_json(const Schedule& schedule, const ChannelNamer& channel_of, const Strides& strides = {});

}  // namespace postage
