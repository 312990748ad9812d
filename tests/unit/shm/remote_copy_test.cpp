#include "shm/copy/remote_copy.hpp"

#include "shm/copy/memory_copy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <vector>

namespace postage::shm {
namespace {

// System calls that move as little as they like.

std::mt19937 short_random(1);
int calls_before_failure = 0;

/// Moves at least one byte, and at most what was asked for.
ssize_t short_call(pid_t, const iovec* local, unsigned long local_count, const iovec* remote,
                   unsigned long remote_count, unsigned long) {
  std::size_t asked = 0;
  for (unsigned long i = 0; i < local_count; ++i) {
    asked += local[i].iov_len;
  }
  std::size_t there = 0;
  for (unsigned long i = 0; i < remote_count; ++i) {
    there += remote[i].iov_len;
  }
  const std::size_t bytes = 1 + short_random() % std::min(asked, there);
  std::size_t l = 0;
  std::size_t l_at = 0;
  std::size_t r = 0;
  std::size_t r_at = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    for (; l_at == local[l].iov_len; ++l, l_at = 0) {
    }
    for (; r_at == remote[r].iov_len; ++r, r_at = 0) {
    }
    static_cast<std::byte*>(local[l].iov_base)[l_at++] = static_cast<const std::byte*>(remote[r].iov_base)[r_at++];
  }
  return static_cast<ssize_t>(bytes);
}

ssize_t failing_call(pid_t process, const iovec* local, unsigned long local_count, const iovec* remote,
                     unsigned long remote_count, unsigned long flags) {
  if (calls_before_failure-- > 0) {
    return short_call(process, local, local_count, remote, remote_count, flags);
  }
  errno = EPERM;
  return -1;
}

ssize_t interrupted_call(pid_t process, const iovec* local, unsigned long local_count, const iovec* remote,
                         unsigned long remote_count, unsigned long flags) {
  if (short_random() % 2 == 0) {
    errno = EINTR;
    return -1;
  }
  return short_call(process, local, local_count, remote, remote_count, flags);
}

ssize_t call_that_moves_nothing(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long) {
  return 0;
}

std::vector<std::byte> numbers(std::size_t count) {
  std::vector<std::byte> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<std::byte>(i * 7 + i / 256);
  }
  return all;
}

Buffer whole(std::vector<std::byte>& bytes) {
  return Buffer::of(ConstStridedBytes(bytes));
}

TEST(RemoteCopy, GoesOnAfterShortAndInterruptedCalls) {
  std::vector<std::byte> there = numbers(10000);
  for (const RemoteCall call : {short_call, interrupted_call}) {
    std::vector<std::byte> here(10000);
    EXPECT_EQ(copy_remote(call, 0, whole(here), whole(there).as_remote(), 0, 10000), 0);
    EXPECT_EQ(here, there);
  }
}

// Those with 1 to 15 bytes between them go through memory of their own.
TEST(RemoteCopy, ReadsToEveryOffsetOfAPage) {
  std::vector<std::byte> there = numbers(110'000);
  constexpr std::uint64_t kBytes = 100'003;
  constexpr std::uint64_t kFirst = 70;
  for (std::uint64_t distance = 0; distance < 18; ++distance) {
    std::vector<std::byte> memory(2 * there.size());
    // As far into its page as what is read, and so many bytes further.
    const auto apart = reinterpret_cast<std::uintptr_t>(there.data()) - reinterpret_cast<std::uintptr_t>(memory.data());
    std::byte* const here = memory.data() + apart % 4096 + distance;
    const Buffer to{here, kBytes, kBytes, kBytes};
    const RemoteBuffer from{reinterpret_cast<std::uintptr_t>(there.data()), kBytes, kBytes, kBytes};
    EXPECT_EQ(read_remote(getpid(), to, from, kFirst, kBytes - 2 * kFirst), 0);
    for (std::uint64_t i = 0; i < kBytes; ++i) {
      const bool is_read = i >= kFirst && i < kBytes - kFirst;
      ASSERT_EQ(here[i], is_read ? there[i] : std::byte{0}) << i << " at " << distance;
    }
  }
  const Buffer nowhere{there.data() + 8, 8192, 8192, 8192};
  EXPECT_EQ(read_remote(getpid(), nowhere, {0, 8192, 8192, 8192}, 0, 8192), EFAULT);
}

TEST(RemoteCopy, MovesOnlyThePartAskedFor) {
  std::vector<std::byte> there = numbers(1000);
  std::vector<std::byte> here(1000);
  EXPECT_EQ(copy_remote(short_call, 0, whole(here), whole(there).as_remote(), 100, 50), 0);
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_EQ(here[i], i >= 100 && i < 150 ? there[i] : std::byte{0}) << i;
  }
}

/// More blocks than one call takes, of different lengths on the two sides.
TEST(RemoteCopy, JoinsStridesOfTwoKinds) {
  constexpr Bytes kBytes = 6000;
  std::vector<std::byte> there = numbers(3 * kBytes);
  std::vector<std::byte> here(2 * kBytes);
  const Buffer from = Buffer::of(ConstStridedBytes(there.data(), 5, 15, kBytes / 5));
  const Buffer to = Buffer::of(ConstStridedBytes(here.data(), 12, 24, kBytes / 12));
  EXPECT_EQ(copy_remote(short_call, 0, to, from.as_remote(), 0, kBytes), 0);
  for (std::size_t i = 0; i < kBytes; ++i) {
    ASSERT_EQ(here[i / 12 * 24 + i % 12], there[i / 5 * 15 + i % 5]) << i;
  }
}

TEST(RemoteCopy, ReportsWhatTheKernelSays) {
  std::vector<std::byte> there = numbers(10000);
  std::vector<std::byte> here(10000);
  calls_before_failure = 1;
  EXPECT_EQ(copy_remote(failing_call, 0, whole(here), whole(there).as_remote(), 0, 10000), EPERM);
  EXPECT_EQ(copy_remote(call_that_moves_nothing, 0, whole(here), whole(there).as_remote(), 0, 10000), EFAULT);
}

TEST(RemoteCopy, KnowsAProcessByItsToken) {
  static const std::uint64_t token = 0x1234567890abcdef;
  const auto address = reinterpret_cast<std::uintptr_t>(&token);
  EXPECT_EQ(read_token(getpid(), address, token), 0);
  EXPECT_EQ(read_token(getpid(), address, token + 1), EPERM) << "another process behind the same number";
  EXPECT_EQ(read_token(getpid(), 8, token), EFAULT) << "no memory there";
}

TEST(MemoryCopy, CopiesBytesAndNothingBesideThem) {
  std::mt19937 random(3);
  std::vector<std::byte> from(4000);
  std::generate(from.begin(), from.end(), [&] { return static_cast<std::byte>(random() % 255); });
  constexpr std::byte kUnchanged{255};
  for (int run = 0; run < 3000; ++run) {
    const std::size_t bytes = random() % (run % 3 == 0 ? 5 : 2500);
    const std::size_t source = random() % (from.size() - bytes);
    const std::size_t target = random() % (from.size() - bytes);
    std::vector<std::byte> expected(from.size(), kUnchanged);
    std::copy_n(from.data() + source, bytes, expected.data() + target);
    for (const auto& copy : {copy_non_temporal, copy_by_blocks, copy_bytes}) {
      std::vector<std::byte> to(from.size(), kUnchanged);
      copy(to.data() + target, from.data() + source, bytes);
      ASSERT_EQ(to, expected) << bytes << " bytes from " << source << " to " << target;
    }
  }
}

}  // namespace
}  // namespace postage::shm
