#include <postage/shm/direct_group.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace postage {
namespace {

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
Data block_of(std::int32_t from, std::int32_t to, Bytes bytes) {
  Data data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] =
        static_cast<std::byte>(31 * static_cast<std::size_t>(from) + 7 * static_cast<std::size_t>(to) + i + (i >> 8));
  }
  return data;
}

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

class DirectGroupWays : public testing::TestWithParam<DirectWay> {
 protected:
  /// Around the lengths at which something else begins, for elements of 16 bytes.
  static constexpr Bytes kSizes[] = {0, 16, 496, 512, 32768, 32784, 100'000, 300'000};
};

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

TEST_P(DirectGroupWays, ReducesInTheRanksOrder) {
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

INSTANTIATE_TEST_SUITE_P(OneToFourRanks, DirectGroupWays,
                         testing::Values(DirectWay{1, true, 1 << 16}, DirectWay{2, true, 1 << 16},
                                         DirectWay{2, false, 1 << 23}, DirectWay{3, true, 1 << 23},
                                         DirectWay{4, true, 1 << 16}, DirectWay{4, false, 1 << 23},
                                         DirectWay{2, true, 4096}, DirectWay{3, true, 4096}),
                         [](const auto& way) {
                           return std::to_string(way.param.ranks) + (way.param.single_copy ? "Single" : "Slots") +
                                  (way.param.copied_bytes > (1 << 16)   ? "Pieces"
                                   : way.param.copied_bytes < (1 << 16) ? "ReadShort"
                                                                        : "Read");
                         });

}  // namespace
}  // namespace postage
