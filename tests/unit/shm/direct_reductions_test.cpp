#include "direct_group_ways.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace postage::direct_group_tests {
namespace {

/// Affine maps x -> a x + b over 64 bits, one after another: associative, and not commutative.
struct Affine {
  std::uint64_t a = 1;
  std::uint64_t b = 0;
  bool operator==(const Affine&) const = default;
};

void compose(const void* /*context*/, const std::byte* left, const std::byte* right, std::byte* out, Bytes bytes) {
  for (Bytes at = 0; at < bytes; at += static_cast<Bytes>(sizeof(Affine))) {
    Affine first;
    Affine second;
    std::memcpy(&first, left + at, sizeof first);
    std::memcpy(&second, right + at, sizeof second);
    const Affine both{first.a * second.a, first.a * second.b + first.b};
    std::memcpy(out + at, &both, sizeof both);
  }
}

const ReduceOperation kCompose{.element_bytes = sizeof(Affine), .commutative = false, .combine = compose};

Data contribution(std::int32_t rank, Bytes bytes) {
  Data data = block_of(rank, 3, bytes);
  return data;
}

/// Of ranks first to last.
Data composed(std::int32_t last, Bytes bytes) {
  Data result = contribution(last, bytes);
  for (std::int32_t rank = last - 1; rank >= 0; --rank) {
    const Data left = contribution(rank, bytes);
    compose(nullptr, left.data(), result.data(), result.data(), bytes);
  }
  return result;
}

class DirectGroupReductions : public DirectGroupWays {};

TEST_P(DirectGroupReductions, ReducesInTheRanksOrder) {
  const std::int32_t ranks = GetParam().ranks;
  on_ranks(GetParam(), [&](std::int32_t rank, DirectGroup& group) {
    for (const Bytes size : kSizes) {
      const Bytes bytes = size / 16 * 16;
      const Data own = contribution(rank, bytes);
      const Data all = composed(ranks - 1, bytes);
      Data result(own.size());
      group.allreduce(own.data(), result.data(), bytes, kCompose);
      EXPECT_EQ(result, all);
      result = own;
      group.allreduce(result.data(), result.data(), bytes, kCompose);
      EXPECT_EQ(result, all);
      group.scan(own.data(), result.data(), bytes, kCompose);
      EXPECT_EQ(result, composed(rank, bytes));
      result = own;
      group.scan(result.data(), result.data(), bytes, kCompose);
      EXPECT_EQ(result, composed(rank, bytes));
      group.exscan(own.data(), result.data(), bytes, kCompose);
      EXPECT_TRUE(rank == 0 || result == composed(rank - 1, bytes));
      for (std::int32_t root = 0; root < ranks; ++root) {
        group.reduce(own.data(), rank == root ? result.data() : nullptr, bytes, kCompose, root);
        EXPECT_TRUE(rank != root || result == all);
      }
      // The first rank keeps nothing, the last one what is left over.
      std::vector<Bytes> kept(static_cast<std::size_t>(ranks), bytes / 16 / ranks * 16);
      kept.front() = 0;
      kept.back() += bytes - std::accumulate(kept.begin(), kept.end(), Bytes{0});
      const Bytes first = std::accumulate(kept.begin(), kept.begin() + rank, Bytes{0});
      Data part(static_cast<std::size_t>(kept[static_cast<std::size_t>(rank)]));
      group.reduce_scatter(own.data(), part.data(), kept, kCompose);
      EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + first));
    }
  });
}

TEST(DirectGroup, TakesAnotherWayFromOneCollectiveToTheNext) {
  on_ranks({2, true, 1 << 16}, [](std::int32_t rank, DirectGroup& group) {
    for (int time = 0; time < 40; ++time) {
      const std::array<Bytes, 3> copied{Bytes{1} << 40, 4096, DirectGroup::kSlotBytes};
      group.set_copied_bytes(copied[static_cast<std::size_t>(time) % copied.size()]);
      const Bytes bytes = time % 2 == 0 ? 16384 : 300'000;
      Data data = block_of(rank, time, bytes);
      group.bcast(data, time % 2);
      EXPECT_EQ(data, block_of(time % 2, time, bytes));
      Data result(data.size());
      group.scan(contribution(rank, bytes).data(), result.data(), bytes, kCompose);
      EXPECT_EQ(result, composed(rank, bytes));
    }
  });
}

/// Nor do those of all ranks, in the second case.
TEST(DirectGroup, ReducesElementsThatDoNotFitIntoASlot) {
  for (const Bytes bytes : {Bytes{48'000}, Bytes{20'000}}) {
    on_ranks({2, true, Bytes{1} << 40}, [&](std::int32_t rank, DirectGroup& group) {
      ReduceOperation operation = kCompose;
      operation.element_bytes = bytes;
      const Data own = contribution(rank, bytes);
      Data result(own.size());
      group.allreduce(own.data(), result.data(), bytes, operation);
      EXPECT_EQ(result, composed(1, bytes));
      const std::array<Bytes, 2> kept{bytes, 0};
      Data part(rank == 0 ? own.size() : 0);
      group.reduce_scatter(own.data(), part.data(), kept, operation);
      EXPECT_TRUE(rank != 0 || part == composed(1, bytes));
    });
  }
}

/// Of fewer elements than ranks: some share holds one, whose results for all ranks do not fit into a slot.
TEST(DirectGroup, ScansElementsWhoseResultsDoNotFitIntoASlot) {
  on_ranks({4, true, Bytes{1} << 40}, [&](std::int32_t rank, DirectGroup& group) {
    ReduceOperation operation = kCompose;
    operation.element_bytes = 10'000;
    const Data own = contribution(rank, 20'000);
    Data result(own.size());
    group.scan(own.data(), result.data(), 20'000, operation);
    EXPECT_EQ(result, composed(rank, 20'000));
    result = own;
    group.scan(result.data(), result.data(), 20'000, operation);
    EXPECT_EQ(result, composed(rank, 20'000));
    group.reduce(own.data(), rank == 3 ? result.data() : nullptr, 20'000, operation, 3);
    EXPECT_TRUE(rank != 3 || result == composed(3, 20'000));
  });
}

INSTANTIATE_TEST_SUITE_P(OneToSevenRanks, DirectGroupReductions, kWays, name_of);

}  // namespace
}  // namespace postage::direct_group_tests
