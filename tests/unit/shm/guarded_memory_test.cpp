#include "support/guarded_memory.hpp"

#include <gtest/gtest.h>

namespace postage::test {
namespace {

std::vector<std::byte> message_of(std::size_t bytes) {
  std::vector<std::byte> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    message[i] = static_cast<std::byte>(i + 1);
  }
  return message;
}

/// Of which every byte that is not as it should be is seen: those of the message, the gaps and the guard.
TEST(GuardedMemory, SeesEveryByteThatIsNotAsItShouldBe) {
  for (const bool strided : {false, true}) {
    for (const std::size_t received : {0U, 7U, 14U, 28U}) {
      GuardedMemory memory(28, strided);
      const std::vector<std::byte> message = message_of(received);
      StridedBytes view = memory.view();
      for (std::size_t i = 0; i < received; ++i) {
        const auto block = static_cast<std::size_t>(view.block);
        view.data[i / block * static_cast<std::size_t>(view.stride) + i % block] = message[i];
      }
      EXPECT_TRUE(memory.holds_only(message));
      const std::size_t whole = (strided ? 4 * (7 + 4) : 28) + 8;
      for (std::size_t i = 0; i < whole; ++i) {
        view.data[i] ^= std::byte{0x40};
        EXPECT_FALSE(memory.holds_only(message)) << i << (strided ? " strided" : "");
        view.data[i] ^= std::byte{0x40};
      }
      EXPECT_FALSE(memory.holds_only(message_of(received + 1)));
    }
  }
  GuardedMemory nothing(0, false);
  EXPECT_TRUE(nothing.holds_only({}));
  nothing.view().data[0] = std::byte{1};
  EXPECT_FALSE(nothing.holds_only({}));
}

}  // namespace
}  // namespace postage::test
