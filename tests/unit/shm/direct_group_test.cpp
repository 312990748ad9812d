#include "direct_group_ways.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>

namespace postage::direct_group_tests {
namespace {

/// Uneven, some of them empty.
Bytes length_of(std::int32_t from, std::int32_t to, Bytes bytes) {
  return (from + 2 * to) % 3 == 1 ? 0 : bytes * (1 + (from + to) % 3) / 2;
}

/// Blocks with a gap of 5 bytes before each.
struct Listed {
  Data memory;
  std::vector<Bytes> counts;
  std::vector<Bytes> offsets;

  void add(const Data& block) {
    memory.resize(memory.size() + 5);
    counts.push_back(static_cast<Bytes>(block.size()));
    offsets.push_back(static_cast<Bytes>(memory.size()));
    memory.insert(memory.end(), block.begin(), block.end());
  }
  [[nodiscard]] Listed emptied() const {
    Listed copy = *this;
    std::fill(copy.memory.begin(), copy.memory.end(), std::byte{0});
    return copy;
  }
};

template <typename LengthOf>
Listed blocks_from(std::int32_t from, std::int32_t ranks, const LengthOf& length) {
  Listed all;
  for (std::int32_t to = 0; to < ranks; ++to) {
    all.add(block_of(from, to, length(from, to)));
  }
  return all;
}

template <typename LengthOf>
Listed blocks_to(std::int32_t to, std::int32_t ranks, const LengthOf& length) {
  Listed all;
  for (std::int32_t from = 0; from < ranks; ++from) {
    all.add(block_of(from, to, length(from, to)));
  }
  return all;
}

Data joined(std::initializer_list<Data> parts) {
  Data all;
  for (const Data& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

TEST_P(DirectGroupWays, MovesBlocksOfOneLength) {
  const std::int32_t ranks = GetParam().ranks;
  on_ranks(GetParam(), [&](std::int32_t rank, DirectGroup& group) {
    for (const Bytes bytes : kSizes) {
      const auto length = [&](std::int32_t, std::int32_t) { return bytes; };
      Data sent;
      Data wanted;
      Data gathered;
      for (std::int32_t peer = 0; peer < ranks; ++peer) {
        sent = joined({sent, block_of(rank, peer, bytes)});
        wanted = joined({wanted, block_of(peer, rank, bytes)});
        gathered = joined({gathered, block_of(peer, 9, length(peer, 9))});
      }
      Data received(sent.size());
      group.alltoall(sent.data(), received.data(), bytes);
      EXPECT_EQ(received, wanted);
      group.allgather(block_of(rank, 9, bytes).data(), received.data(), bytes);
      EXPECT_EQ(received, gathered);
      for (std::int32_t root = 0; root < ranks; ++root) {
        Data all(rank == root ? sent.size() : 0);
        group.gather(block_of(rank, 9, bytes).data(), rank == root ? all.data() : nullptr, bytes, root);
        EXPECT_TRUE(rank != root || all == gathered);
        Data own(static_cast<std::size_t>(bytes));
        group.scatter(rank == root ? sent.data() : nullptr, own.data(), bytes, root);
        EXPECT_EQ(own, block_of(root, rank, bytes));
        own = block_of(rank, 1, bytes);
        group.bcast(own, root);
        EXPECT_EQ(own, block_of(root, 1, bytes));
      }
    }
  });
}

TEST_P(DirectGroupWays, MovesBlocksOfDifferentLengths) {
  const std::int32_t ranks = GetParam().ranks;
  on_ranks(GetParam(), [&](std::int32_t rank, DirectGroup& group) {
    for (const Bytes size : kSizes) {
      const Bytes bytes = GetParam().single_copy || ranks == 2 ? size : std::min<Bytes>(size, 1000);
      const auto length = [&](std::int32_t from, std::int32_t to) { return length_of(from, to, bytes); };
      const Listed sent = blocks_from(rank, ranks, length);
      const Listed wanted = blocks_to(rank, ranks, length);
      Listed received = wanted.emptied();
      group.alltoallv(sent.memory.data(), sent.counts, sent.offsets, received.memory.data(), received.counts,
                      received.offsets);
      for (std::size_t peer = 0; peer < wanted.counts.size(); ++peer) {
        const auto at = [&](const Listed& from) { return from.memory.begin() + from.offsets[peer]; };
        EXPECT_TRUE(std::equal(at(wanted), at(wanted) + wanted.counts[peer], at(received)));
      }
      for (std::int32_t root = 0; root < ranks; ++root) {
        const Listed to_root = blocks_to(root, ranks, length);
        Listed gathered = to_root.emptied();
        const Data own = block_of(rank, root, length(rank, root));
        const bool is_root = rank == root;
        group.gatherv(own.data(), static_cast<Bytes>(own.size()), is_root ? gathered.memory.data() : nullptr,
                      is_root ? gathered.counts : std::span<const Bytes>{},
                      is_root ? gathered.offsets : std::span<const Bytes>{}, root);
        for (std::size_t peer = 0; is_root && peer < gathered.counts.size(); ++peer) {
          const auto at = [&](const Listed& from) { return from.memory.begin() + from.offsets[peer]; };
          EXPECT_TRUE(std::equal(at(to_root), at(to_root) + to_root.counts[peer], at(gathered)));
        }
        Data scattered(static_cast<std::size_t>(length(root, rank)));
        group.scatterv(is_root ? sent.memory.data() : nullptr, is_root ? sent.counts : std::span<const Bytes>{},
                       is_root ? sent.offsets : std::span<const Bytes>{}, scattered.data(),
                       static_cast<Bytes>(scattered.size()), root);
        EXPECT_EQ(scattered, block_of(root, rank, length(root, rank)));
      }
    }
  });
}

/// Long blocks beside short ones, more than 1 MiB in all or less, and no barrier between: the root lets the others
/// write, or reads, in turn.
TEST(DirectGather, GoesOnAfterBlocksThatTheirOwnersWrote) {
  constexpr std::int32_t kRanks = 4;
  on_ranks({kRanks, true, 4096}, [](std::int32_t rank, DirectGroup& group) {
    for (std::int32_t time = 0; time < 40; ++time) {
      const auto length = [&](std::int32_t from, std::int32_t) { return (time + from) % 5 == 0 ? 100 : 370'000; };
      const std::int32_t root = time % kRanks;
      const Listed wanted = blocks_to(root, kRanks, length);
      Listed gathered = wanted.emptied();
      const Data own = block_of(rank, root, length(rank, root));
      group.gatherv(own.data(), static_cast<Bytes>(own.size()), gathered.memory.data(), gathered.counts,
                    gathered.offsets, root);
      for (std::size_t peer = 0; rank == root && peer < kRanks; ++peer) {
        const auto at = [&](const Listed& from) { return from.memory.begin() + from.offsets[peer]; };
        EXPECT_TRUE(std::equal(at(wanted), at(wanted) + wanted.counts[peer], at(gathered))) << time << " " << peer;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(OneToSevenRanks, DirectGroupWays, kWays, name_of);

}  // namespace
}  // namespace postage::direct_group_tests
