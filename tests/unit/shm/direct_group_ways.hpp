#pragma once

#include <postage/shm/direct_group.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace postage::direct_group_tests {

using Data = std::vector<std::byte>;

/// How long data move: in pieces through slots, by single copy from 4 or 64 KiB on, or by slots alone.
struct DirectWay {
  std::int32_t ranks;
  bool single_copy;
  Bytes copied_bytes;
};

/// Calls act(rank, group) on a thread for each rank.
template <typename Act>
void on_ranks(const DirectWay& way, const Act& act) {
  static std::atomic<std::uint64_t> groups{static_cast<std::uint64_t>(getpid()) << 32};
  const std::uint64_t number = ++groups;
  std::vector<std::thread> threads;
  for (std::int32_t rank = 0; rank < way.ranks; ++rank) {
    threads.emplace_back([&, rank] {
      DirectGroup group(rank, way.ranks, number, {.more_ranks_than_cores = true, .copied_bytes = way.copied_bytes});
      EXPECT_TRUE(!way.single_copy || group.can_read_peers());
      group.use_single_copy(way.single_copy);
      act(rank, group);
      group.barrier();  // others may still read this rank's memory
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

/// What rank `from` sends to rank `to`: differs in each byte.
inline Data block_of(std::int32_t from, std::int32_t to, Bytes bytes) {
  Data data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] =
        static_cast<std::byte>(31 * static_cast<std::size_t>(from) + 7 * static_cast<std::size_t>(to) + i + (i >> 8));
  }
  return data;
}

/// Around the lengths at which something else begins, for elements of 16 bytes.
inline constexpr Bytes kSizes[] = {0, 16, 496, 512, 4096, 7008, 32768, 32784, 100'000, 300'000};

class DirectGroupWays : public testing::TestWithParam<DirectWay> {};

inline const auto kWays = testing::Values(
    DirectWay{1, true, 1 << 16}, DirectWay{2, true, 1 << 16}, DirectWay{2, false, 1 << 23}, DirectWay{3, true, 1 << 23},
    DirectWay{4, true, 1 << 16}, DirectWay{4, false, 1 << 23}, DirectWay{2, true, 4096}, DirectWay{3, true, 4096},
    DirectWay{7, true, 1 << 15}, DirectWay{7, false, 1 << 23});

inline std::string name_of(const testing::TestParamInfo<DirectWay>& way) {
  return std::to_string(way.param.ranks) + (way.param.single_copy ? "Single" : "Slots") +
         (way.param.copied_bytes > (1 << 16)   ? "Pieces"
          : way.param.copied_bytes < (1 << 16) ? "ReadShort"
                                               : "Read");
}

}  // namespace postage::direct_group_tests
