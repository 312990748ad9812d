#pragma once

#include <postage/platform/platform.hpp>

#include <functional>
#include <string>
#include <vector>

namespace postage {

/// A time of latency + bytes * per_byte for messages of at least from_bytes, up to the next piece.
struct MessagePiece {
  Bytes from_bytes = 0;
  Seconds latency = 0;
  double per_byte = 0;
};

/// Hockney's alpha and beta of messages over a channel, by size; of the pair that was measured first where the channel
/// has none of its own. Throws Error where there are none.
[[nodiscard]] std::vector<MessagePiece> hockney_pieces(const Platform& platform, const std::string& channel);

/// Adds that the pieces are those of one pair, where the channel has none of its own.
void add_pair_remark(const Platform& platform, const std::string& channel, std::vector<std::string>& remarks);

[[nodiscard]] const MessagePiece& piece_of(const std::vector<MessagePiece>& pieces, Bytes bytes);

[[nodiscard]] Seconds time_of(const std::vector<MessagePiece>& pieces, Bytes bytes);

/// Of a message alone, where it takes what `time` gives instead of what the pieces say: at compared_sizes().
struct LargestError {
  double relative = 0;
  Bytes bytes = 1;
};
[[nodiscard]] LargestError largest_error(const std::vector<MessagePiece>& pieces,
                                         const std::function<Seconds(Bytes)>& time);

/// The channel between nodes, else the farthest one.
[[nodiscard]] std::string network_channel(const Platform& platform);

/// Sizes at which exports are compared with the platform: powers of two from 1 byte to 4 MiB.
[[nodiscard]] std::vector<Bytes> compared_sizes();

}  // namespace postage
