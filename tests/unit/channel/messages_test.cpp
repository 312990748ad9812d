#include "support/ranks.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::require;
using test::run_on_channel;

std::vector<std::byte> pattern(std::size_t bytes, std::size_t seed) {
  std::vector<std::byte> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    message[i] = static_cast<std::byte>((i * 131 + seed * 29 + i / 251) & 0xff);
  }
  return message;
}

TEST(Messages, ArriveWhole) {
  const std::vector<std::size_t> sizes{0,      1,      47,     48,     49,      64,      1000,   4095,
                                       4096,   4097,   8192,   8193,   16384,   32767,   32768,  65536,
                                       131071, 131072, 131073, 262144, 1000000, 4194304, 5000001};
  for (const bool single_copy : {true, false}) {
    const auto work = [&](Channel& channel) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::vector<std::byte> expected = pattern(sizes[i], i);
        if (channel.rank() == 0) {
          channel.send(expected, 1, static_cast<int>(i));
          channel.send(expected, 1, static_cast<int>(i));
        } else {
          std::vector<std::byte> message(sizes[i]);
          const MessageStatus status = channel.receive(message, 0, static_cast<int>(i));
          require(status == MessageStatus{0, static_cast<int>(i), static_cast<Bytes>(sizes[i])}, "status");
          require(message == expected, "bytes of " + std::to_string(sizes[i]));
          // The second one is there before its receive.
          static_cast<void>(channel.probe(0, kAnyTag));
          std::vector<std::byte> again(sizes[i]);
          channel.receive(again, kAnySource, kAnyTag);
          require(again == expected, "bytes of unexpected " + std::to_string(sizes[i]));
        }
      }
    };
    EXPECT_EQ(run_on_channel(2, work, {.single_copy = single_copy}), all_fine(2));
  }
}

}  // namespace
}  // namespace postage
