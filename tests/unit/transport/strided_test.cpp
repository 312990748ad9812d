#include <postage/transport/strided.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

std::byte byte_at(std::size_t i) {
  return static_cast<std::byte>((i * 37 + 5) & 0xff);
}

TEST(Strided, PacksTheRunsAndLeavesTheRestAlone) {
  for (const Bytes run : {1, 3, 4, 8, 16}) {
    for (const Bytes gap : {0, 1, 7}) {
      for (const std::int64_t runs : {0, 1, 5}) {
        const StridedLayout layout{runs, run, run + gap};
        std::vector<std::byte> memory(static_cast<std::size_t>(layout.extent()));
        for (std::size_t i = 0; i < memory.size(); ++i) {
          memory[i] = byte_at(i);
        }
        std::vector<std::byte> packed(static_cast<std::size_t>(layout.bytes()));
        pack(memory, layout, packed);
        std::vector<std::byte> back(memory.size(), std::byte{0});
        unpack(packed, layout, back);
        std::size_t next = 0;
        for (std::size_t i = 0; i < memory.size(); ++i) {
          const bool in_run = static_cast<Bytes>(i) % layout.stride < run;
          EXPECT_EQ(back[i], in_run ? memory[i] : std::byte{0}) << run << "+" << gap << " at " << i;
          if (in_run) {
            EXPECT_EQ(packed.at(next++), memory[i]);
          }
        }
        EXPECT_EQ(next, packed.size());
      }
    }
  }
}

}  // namespace
}  // namespace postage
