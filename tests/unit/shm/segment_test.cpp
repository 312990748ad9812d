#include "shm/segment/mapping.hpp"
#include "support/ranks.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <new>
#include <span>

namespace postage {
namespace {

using test::all_fine;
using test::ForkedRanks;
using test::require;
using test::throws;

void send_greetings(ShmEndpoint& endpoint) {
  for (std::int32_t other = 0; other < endpoint.size(); ++other) {
    if (other == endpoint.rank()) {
      continue;
    }
    std::int32_t theirs = -1;
    ShmRequest request = endpoint.start_receive(std::as_writable_bytes(std::span(&theirs, 1)), other, 0);
    const std::int32_t mine = endpoint.rank();
    endpoint.send(std::as_bytes(std::span(&mine, 1)), other, 0);
    endpoint.wait(request);
    require(theirs == other, "who is who");
  }
}

SegmentOptions impatient() {
  SegmentOptions options;
  options.patience = 0.3;
  return options;
}

std::string sentence_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Segment, HasNoNameAndIsItsUsersOnly) {
  const ShmSegment segment = ShmSegment::create(3);
  struct stat status {};
  ASSERT_EQ(fstat(segment.mapping().descriptor(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(status.st_nlink, 0U);
  EXPECT_EQ(status.st_size, segment.bytes());
}

TEST(Segment, KeepsItsModeUnderAnyUmask) {
  const mode_t before = umask(0);
  const ShmSegment segment = ShmSegment::create(2);
  umask(before);
  struct stat status {};
  ASSERT_EQ(fstat(segment.mapping().descriptor(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(Segment, SaysWhereThereIsNoRoom) {
  SegmentOptions options;
  options.chunk_bytes = Bytes{1} << 30;
  options.pool_bytes = Bytes{1} << 46;
  const std::string sentence = sentence_of([&] { static_cast<void>(ShmSegment::create(2, options)); });
  EXPECT_NE(sentence.find("/dev/shm has no room for the "), std::string::npos) << sentence;
}

TEST(Segment, SaysWhereThereIsNoMemoryToShare) {
  SegmentOptions options;
  options.directory = "/nowhere";
  const std::string sentence = sentence_of([&] { static_cast<void>(ShmSegment::create(2, options)); });
  EXPECT_NE(sentence.find("/nowhere"), std::string::npos) << sentence;
}

TEST(Segment, RefusesInvalidRequests) {
  const auto refuses = [](std::int32_t ranks, const SegmentOptions& options) {
    return throws<UsageError>([&] { static_cast<void>(ShmSegment::create(ranks, options)); });
  };
  SegmentOptions odd_chunks;
  odd_chunks.chunk_bytes = 10001;
  SegmentOptions tiny_pool;
  tiny_pool.pool_bytes = 1000;
  SegmentOptions tiny_ring;
  tiny_ring.ring_bytes = 100;
  EXPECT_TRUE(refuses(0, {}));
  EXPECT_TRUE(refuses(ShmSegment::kMostRanks + 1, {}));
  EXPECT_TRUE(refuses(2, odd_chunks));
  EXPECT_TRUE(refuses(2, tiny_pool));
  EXPECT_TRUE(refuses(2, tiny_ring));
}

TEST(Segment, GrowsByPairsWithinABudgetAndByPoolsOfOneSize) {
  const auto bytes_of = [](std::int32_t ranks) { return shm::SegmentShape::of(ranks, {}); };
  EXPECT_EQ(bytes_of(2).pool_bytes(), bytes_of(64).pool_bytes());
  EXPECT_LT(bytes_of(64).pair_bytes(), bytes_of(2).pair_bytes());
  const std::uint64_t pairs = 64 * 64 * bytes_of(64).pair_bytes();
  EXPECT_LT(pairs, std::uint64_t{300} << 20);
}

TEST(Segment, LetsARankJoinOnce) {
  const ShmSegment segment = ShmSegment::create(1);
  ShmEndpoint endpoint(segment, 0);
  EXPECT_THROW(ShmEndpoint(segment, 0), UsageError);
  EXPECT_THROW(ShmEndpoint(segment, 1), UsageError);
  EXPECT_THROW(ShmEndpoint(segment, -1), UsageError);
}

TEST(Segment, SaysWhoDidNotJoin) {
  const ShmSegment segment = ShmSegment::create(2, impatient());
  const std::string sentence = sentence_of([&] { ShmEndpoint(segment, 0); });
  EXPECT_NE(sentence.find("rank 1 did not join"), std::string::npos) << sentence;
}

std::string own_name(const char* what) {
  return std::string(what) + "-" + std::to_string(getpid());
}

TEST(RendezvousSocket, JoinsUnrelatedProcesses) {
  const std::string name = own_name("join");
  ForkedRanks ranks(4, [&](std::int32_t rank) {
    ShmEndpoint endpoint(ShmSegment::rendezvous(name, rank, 4), rank);
    send_greetings(endpoint);
  });
  EXPECT_EQ(ranks.wait(), all_fine(4));
  // Nothing is left that would keep another group from the same name.
  ForkedRanks others(2, [&](std::int32_t rank) {
    ShmEndpoint endpoint(ShmSegment::rendezvous(name, rank, 2), rank);
    send_greetings(endpoint);
  });
  EXPECT_EQ(others.wait(), all_fine(2));
}

TEST(RendezvousSocket, SaysWhoDidNotCome) {
  const std::string name = own_name("alone");
  const auto join = [&](std::int32_t rank) {
    return sentence_of([&] { static_cast<void>(ShmSegment::rendezvous(name, rank, 3, impatient())); });
  };
  EXPECT_NE(join(0).find("2 of 3 ranks did not join"), std::string::npos) << join(0);
  EXPECT_NE(join(1).find("rank 0 did not open"), std::string::npos) << join(1);
}

TEST(RendezvousSocket, TellsRanksThatDoNotAgree) {
  const std::string name = own_name("disagree");
  ForkedRanks ranks(2, [&](std::int32_t rank) {
    const std::string sentence = sentence_of([&] { static_cast<void>(ShmSegment::rendezvous(name, rank, 2 + rank)); });
    require(sentence.find("do not agree") != std::string::npos, "rank " + std::to_string(rank) + " heard: " + sentence);
  });
  EXPECT_EQ(ranks.wait(), all_fine(2));
}

TEST(RendezvousSocket, TellsAllWhereThereIsNoRoom) {
  const std::string name = own_name("full");
  ForkedRanks ranks(3, [&](std::int32_t rank) {
    SegmentOptions options;
    options.chunk_bytes = Bytes{1} << 30;
    options.pool_bytes = Bytes{1} << 46;
    const std::string sentence =
        sentence_of([&] { static_cast<void>(ShmSegment::rendezvous(name, rank, 3, options)); });
    require(sentence.find("has no room") != std::string::npos, "rank " + std::to_string(rank) + " heard: " + sentence);
  });
  EXPECT_EQ(ranks.wait(), all_fine(3));
}

TEST(RendezvousSocket, RefusesNamesThatCannotBe) {
  EXPECT_THROW(static_cast<void>(ShmSegment::rendezvous("", 0, 2)), UsageError);
  EXPECT_THROW(static_cast<void>(ShmSegment::rendezvous(std::string(200, 'x'), 0, 2)), UsageError);
  EXPECT_THROW(static_cast<void>(ShmSegment::rendezvous("name", 2, 2)), UsageError);
}

/// An allgather among forked processes, as MPI would give it.
class Gathering {
 public:
  explicit Gathering(std::int32_t ranks) : ranks_(ranks) {
    void* memory = mmap(nullptr, sizeof(Shared) + 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    shared_ = new (memory) Shared;
  }
  void operator()(std::int32_t rank, std::span<const std::byte> mine, std::span<std::byte> all) {
    auto* bytes = reinterpret_cast<std::byte*>(shared_ + 1);
    std::memcpy(bytes + static_cast<std::size_t>(rank) * mine.size(), mine.data(), mine.size());
    ++shared_->came;
    while (shared_->came < ranks_) {
      usleep(100);
    }
    std::memcpy(all.data(), bytes, all.size());
  }

 private:
  struct Shared {
    std::atomic<std::int32_t> came{0};
  };
  std::int32_t ranks_;
  Shared* shared_;
};

TEST(Agreement, JoinsRanksThatCanTalkAlready) {
  Gathering gathering(4);
  ForkedRanks ranks(4, [&](std::int32_t rank) {
    const auto allgather = [&](std::span<const std::byte> mine, std::span<std::byte> all) {
      gathering(rank, mine, all);
    };
    ShmEndpoint endpoint(ShmSegment::agree(rank, 4, allgather), rank);
    send_greetings(endpoint);
  });
  EXPECT_EQ(ranks.wait(), all_fine(4));
}

TEST(Agreement, TellsAllWhereOneIsOnAnotherNode) {
  Gathering gathering(2);
  ForkedRanks ranks(2, [&](std::int32_t rank) {
    const auto allgather = [&](std::span<const std::byte> mine, std::span<std::byte> all) {
      std::vector<std::byte> elsewhere(mine.begin(), mine.end());
      elsewhere.front() = rank == 1 ? std::byte{'?'} : elsewhere.front();
      gathering(rank, elsewhere, all);
    };
    const std::string sentence = sentence_of([&] { static_cast<void>(ShmSegment::agree(rank, 2, allgather)); });
    require(sentence.find("ranks 0 and 1 are not on one node") != std::string::npos, sentence);
  });
  EXPECT_EQ(ranks.wait(), all_fine(2));
}

}  // namespace
}  // namespace postage
