#pragma once

#include <postage/model/transfer.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace postage {

/// How many messages are under way in each node over each channel, and into and out of it.
class WireLoad {
 public:
  /// Those that share a wire with a message that starts now, which is counted from now on.
  double start(std::int32_t source_node, std::int32_t target_node, ChannelId channel) {
    if (source_node == target_node) {
      return ++inside_[{source_node, channel}];
    }
    return std::max(++leaving_[{source_node, channel}], ++entering_[{target_node, channel}]);
  }

  void end(std::int32_t source_node, std::int32_t target_node, ChannelId channel) {
    if (source_node == target_node) {
      --inside_[{source_node, channel}];
    } else {
      --leaving_[{source_node, channel}];
      --entering_[{target_node, channel}];
    }
  }

 private:
  using Counts = std::map<std::pair<std::int32_t, ChannelId>, int>;
  Counts inside_;
  Counts leaving_;
  Counts entering_;
};

}  // namespace postage
