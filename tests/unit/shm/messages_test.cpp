#include "support/ranks.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>
#include <thread>
#include <tuple>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::require;
using test::run_on_channel;
using test::throws;

std::vector<std::byte> pattern(std::size_t bytes, std::size_t seed) {
  std::vector<std::byte> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    message[i] = static_cast<std::byte>((i * 131 + seed * 29 + i / 251) & 0xff);
  }
  return message;
}

ShmOptions without_single_copy() {
  ShmOptions options;
  options.single_copy = false;
  return options;
}

TEST(Messages, ArriveWhole) {
  const std::vector<std::size_t> sizes{0,      1,      47,     48,     49,      64,      1000,   4095,
                                       4096,   4097,   8192,   8193,   16384,   32767,   32768,  65536,
                                       131071, 131072, 131073, 262144, 1000000, 4194304, 5000001};
  const auto work = [&](ShmEndpoint& channel) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::vector<std::byte> expected = pattern(sizes[i], i);
      if (channel.rank() == 0) {
        channel.send(expected, 1, static_cast<int>(i));
        channel.send(expected, 1, static_cast<int>(i));
        continue;
      }
      std::vector<std::byte> message(sizes[i]);
      const MessageStatus status = channel.receive(message, 0, static_cast<int>(i));
      require(status == MessageStatus{0, static_cast<int>(i), static_cast<Bytes>(sizes[i])}, "status");
      require(message == expected, "bytes of " + std::to_string(sizes[i]));
      // The second one is there before its receive.
      const MessageStatus probed = channel.probe(0, kAnyTag);
      require(probed == status, "probe");
      std::vector<std::byte> again(sizes[i]);
      require(channel.receive(again, kAnySource, kAnyTag) == status, "status of the second");
      require(again == expected, "bytes of unexpected " + std::to_string(sizes[i]));
    }
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
  EXPECT_EQ(run_on_channel(2, work, without_single_copy()), all_fine(2));
}

/// Messages of more than 2 GiB: no count, and no system call, takes them at once.
TEST(Messages, MayBeLargerThanTwoGibibytes) {
  constexpr std::size_t kPeriod = std::size_t{16} << 20;
  constexpr std::size_t kBytes = (std::size_t{2} << 30) + kPeriod / 2 + 5;
  const auto work = [&](ShmEndpoint& channel) {
    const std::vector<std::byte> period = pattern(kPeriod, 3);
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require(memory != MAP_FAILED, "memory");
    const std::span message(static_cast<std::byte*>(memory), kBytes);
    const auto part = [&](std::size_t at) { return message.subspan(at, std::min(kPeriod, kBytes - at)); };
    if (channel.rank() == 0) {
      for (std::size_t at = 0; at < kBytes; at += kPeriod) {
        std::copy_n(period.begin(), part(at).size(), part(at).begin());
      }
      channel.send(message, 1, 0);
      return;
    }
    const MessageStatus status = channel.receive(message, 0, 0);
    require(status.bytes == static_cast<Bytes>(kBytes), "status");
    for (std::size_t at = 0; at < kBytes; at += kPeriod) {
      require(std::memcmp(part(at).data(), period.data(), part(at).size()) == 0, "bytes at " + std::to_string(at));
    }
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
  EXPECT_EQ(run_on_channel(2, work, without_single_copy()), all_fine(2));
}

/// A column of a matrix becomes a row, and back, by every way.
TEST(Messages, MayBeStrided) {
  const auto work = [&](ShmEndpoint& channel) {
    for (const Bytes rows : {Bytes{3}, Bytes{300}, Bytes{3000}, Bytes{60000}}) {
      constexpr Bytes kWidth = 24;
      constexpr Bytes kBlock = 8;
      const std::vector<std::byte> matrix = pattern(static_cast<std::size_t>(rows * kWidth), 5);
      if (channel.rank() == 0) {
        channel.send(ConstStridedBytes(matrix.data() + kBlock, kBlock, kWidth, rows), 1, 0);
        std::vector<std::byte> back(matrix.size(), std::byte{0});
        channel.receive(StridedBytes(back.data() + kBlock, kBlock, kWidth, rows), 1, 0);
        for (std::size_t i = 0; i < back.size(); ++i) {
          const bool in_column = i % kWidth >= kBlock && i % kWidth < 2 * kBlock;
          require(back[i] == (in_column ? matrix[i] : std::byte{0}), "column at " + std::to_string(i));
        }
      } else {
        std::vector<std::byte> row(static_cast<std::size_t>(rows * kBlock));
        require(channel.receive(row, 0, 0).bytes == rows * kBlock, "bytes of a column");
        for (std::size_t i = 0; i < row.size(); ++i) {
          require(row[i] == matrix[i / kBlock * kWidth + kBlock + i % kBlock], "row at " + std::to_string(i));
        }
        channel.send(row, 0, 0);
      }
    }
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
  EXPECT_EQ(run_on_channel(2, work, without_single_copy()), all_fine(2));
}

TEST(Messages, MatchByTagAndContextInOrder) {
  const auto work = [](ShmEndpoint& channel) {
    if (channel.rank() == 0) {
      for (std::byte i{0}; i < std::byte{6}; i = static_cast<std::byte>(static_cast<int>(i) + 1)) {
        channel.send(std::span(&i, 1), 1, static_cast<int>(i) % 2, static_cast<int>(i) < 4 ? 0U : 9U);
      }
      return;
    }
    const auto next = [&](int tag, std::uint32_t context) {
      std::byte message{};
      channel.receive(std::span(&message, 1), 0, tag, context);
      return static_cast<int>(message);
    };
    require(next(1, 9) == 5, "context");
    require(next(1, 0) == 1, "first of tag 1");
    require(next(kAnyTag, 0) == 0, "first of any tag");
    require(next(1, 0) == 3, "second of tag 1");
    require(next(kAnyTag, 9) == 4, "any tag of another context");
    require(next(0, 0) == 2, "last");
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
}

TEST(Messages, ThatDoNotFitAreReportedAndGone) {
  const auto work = [](ShmEndpoint& channel) {
    for (const std::size_t bytes : {std::size_t{10}, std::size_t{4000}, std::size_t{20000}, std::size_t{500000}}) {
      const std::vector<std::byte> message = pattern(bytes, 1);
      if (channel.rank() == 0) {
        channel.send(message, 1, 0);
        channel.send(message, 1, 0);
        channel.send(message, 1, 1);
        continue;
      }
      std::vector<std::byte> small(bytes - 1);
      require(throws<Truncated>([&] { channel.receive(small, 0, 0); }), "truncation");
      std::vector<std::byte> whole(bytes);
      std::vector<ShmRequest> requests{channel.start_receive(small, 0, 0), channel.start_receive(whole, 0, 1)};
      require(throws<Truncated>([&] { channel.wait_all(requests); }), "truncation of one of two");
      require(requests[0].is_null() && requests[1].is_null(), "both have been waited for");
      require(whole == message, "the other one");
    }
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
  EXPECT_EQ(run_on_channel(2, work, without_single_copy()), all_fine(2));
}

TEST(Messages, ToOneself) {
  const auto work = [](ShmEndpoint& channel) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, std::size_t{100000}}) {
      const std::vector<std::byte> message = pattern(bytes, 2);
      std::vector<std::byte> first(bytes);
      std::vector<std::byte> second(bytes);
      std::vector<std::byte> third(bytes);
      ShmRequest receive = channel.start_receive(first, 0, 1);
      channel.send(message, 0, 1);
      require(channel.wait(receive) == MessageStatus{0, 1, static_cast<Bytes>(bytes)}, "posted first");
      channel.send(message, 0, 2);  // waits for nobody
      ShmRequest send = channel.start_send(message, 0, 3);
      require(channel.try_probe(kAnySource, 3).has_value(), "probe of one's own");
      channel.receive(second, kAnySource, 2);
      channel.receive(third, 0, kAnyTag);
      channel.wait(send);
      require(first == message && second == message && third == message, "bytes");
    }
  };
  EXPECT_EQ(run_on_channel(1, work), all_fine(1));
}

TEST(Messages, ProbesLeaveThemWhereTheyAre) {
  const auto work = [](ShmEndpoint& channel) {
    if (channel.rank() == 0) {
      const std::array<std::byte, 3> message{};
      channel.send(message, 1, 4);
      std::byte token{};
      channel.receive(std::span(&token, 1), 1, 0);
      return;
    }
    require(!channel.try_probe(0, 5), "another tag");
    require(channel.probe(kAnySource, 4) == MessageStatus{0, 4, 3}, "probe");
    require(channel.try_probe(0, kAnyTag) == MessageStatus{0, 4, 3}, "probe again");
    std::array<std::byte, 3> message{};
    channel.receive(message, 0, 4);
    require(!channel.try_probe(kAnySource, kAnyTag), "nothing is left");
    channel.send(std::span(message).first(1), 0, 0);
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
}

/// More pending sends than any pool or ring holds, unmatched until the last: all must come, in order.
TEST(Messages, MayAllBeUnderWayAtOnce) {
  constexpr std::size_t kMessages = 600;
  const auto work = [](ShmEndpoint& channel) {
    const std::vector<std::byte> message = pattern(30000, 7);
    if (channel.rank() == 0) {
      std::vector<ShmRequest> requests;
      for (std::size_t i = 0; i < kMessages; ++i) {
        requests.push_back(channel.start_send(std::span(message).first(20000 + i), 1, static_cast<int>(i)));
      }
      const std::byte last{1};
      channel.send(std::span(&last, 1), 1, 1000000);
      channel.wait_all(requests);
      return;
    }
    std::byte last{};
    channel.receive(std::span(&last, 1), 0, 1000000);
    require(channel.connection(0).unexpected_messages == kMessages, "all have arrived");
    for (std::size_t i = kMessages; i-- > 0;) {
      std::vector<std::byte> received(message.size());
      const MessageStatus status = channel.receive(received, 0, static_cast<int>(i));
      require(status.bytes == static_cast<Bytes>(20000 + i), "size");
      require(std::equal(received.begin(), received.begin() + status.bytes, message.begin()), "bytes");
    }
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
  EXPECT_EQ(run_on_channel(2, work, without_single_copy()), all_fine(2));
}

/// What one rank does not receive must not keep others from getting theirs.
TEST(Messages, PassAnotherRanksUnmatchedOnes) {
  const auto work = [](ShmEndpoint& channel) {
    const std::vector<std::byte> message = pattern(100000, 7);
    std::byte token{};
    if (channel.rank() == 0) {
      std::vector<ShmRequest> requests;
      for (int i = 0; i < 200; ++i) {
        requests.push_back(channel.start_send(message, 1, i));
      }
      channel.send(message, 2, 0);
      channel.wait_all(requests);
    } else if (channel.rank() == 2) {
      std::vector<std::byte> received(message.size());
      channel.receive(received, 0, 0);
      require(received == message, "bytes");
      channel.send(std::span(&token, 1), 1, 0);
    } else {
      channel.receive(std::span(&token, 1), 2, 0);
      for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> received(message.size());
        channel.receive(received, 0, i);
        require(received == message, "bytes");
      }
    }
  };
  EXPECT_EQ(run_on_channel(3, work), all_fine(3));
  EXPECT_EQ(run_on_channel(3, work, without_single_copy()), all_fine(3));
}

TEST(Messages, ThatCannotBeMeantAreRefused) {
  const auto work = [](ShmEndpoint& channel) {
    std::array<std::byte, 8> message{};
    require(throws<UsageError>([&] { channel.send(message, 2, 0); }), "target");
    require(throws<UsageError>([&] { channel.send(message, -1, 0); }), "negative target");
    require(throws<UsageError>([&] { channel.send(message, 0, kAnyTag); }), "tag of a send");
    require(throws<UsageError>([&] { channel.receive(message, 2, 0); }), "source");
    require(throws<UsageError>([&] { channel.receive(message, 0, -7); }), "tag");
    require(throws<UsageError>([&] { channel.send(ConstStridedBytes(message.data(), 4, 2, 2), 0, 0); }), "overlap");
    require(throws<UsageError>([&] { static_cast<void>(channel.connection(channel.rank())); }), "own connection");
    ShmRequest once = channel.start_receive(message, channel.rank(), 3);
    ShmRequest twice = once;
    channel.send(message, channel.rank(), 3);
    channel.wait(once);
    require(throws<UsageError>([&] { channel.wait(twice); }), "waited for twice");
    ShmRequest null;
    require(channel.test(null).has_value(), "a null request has completed");
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
}

/// A blocking receive may take a short message from the ring by itself, but only where that is its turn.
TEST(Messages, AreReceivedAtOnceOnlyInTheirTurn) {
  constexpr int kRounds = 100;
  const auto work = [](ShmEndpoint& channel) {
    const auto number = [](int round, int index) { return static_cast<std::byte>(8 * round + index); };
    const auto receive = [&](int tag, std::uint32_t context) {
      std::byte received{};
      const MessageStatus status = channel.receive(std::span(&received, 1), 0, tag, context);
      require(status.source == 0 && status.bytes == 1, "status");
      return received;
    };
    for (int round = 0; round < kRounds; ++round) {
      if (channel.rank() == 0) {
        for (const auto& [index, tag, context] :
             {std::tuple(0, 1, 0U), {1, 2, 0U}, {2, 2, 1U}, {3, 2, 0U}, {4, 5, 0U}}) {
          const std::byte message = number(round, index);
          channel.send(std::span(&message, 1), 1, tag, context);
        }
        const std::array<std::byte, 2> longer{};
        channel.send(longer, 1, 6);
        channel.receive({}, 1, 7);
      } else {
        std::byte posted{};
        ShmRequest request = channel.start_receive(std::span(&posted, 1), 0, 2);
        require(receive(2, 0) == number(round, 3), "a receive that was posted comes first");
        require(channel.wait(request).bytes == 1 && posted == number(round, 1), "the posted one");
        require(receive(kAnyTag, 0) == number(round, 0), "one that was passed over comes first");
        require(receive(kAnyTag, 0) == number(round, 4), "another context's stays");
        require(receive(2, 1) == number(round, 2), "the other context's");
        require(throws<Truncated>([&] { static_cast<void>(receive(6, 0)); }), "truncated");
        channel.send({}, 0, 7);
      }
    }
    require(channel.rank() == 0 || channel.connection(0).received.ring == 6 * kRounds, "ring");
  };
  EXPECT_EQ(run_on_channel(2, work), all_fine(2));
}

/// Passes a token once around; rank 0 gets back what the last rank made of it.
void pass_around(ShmEndpoint& channel, std::span<std::byte> token, std::span<std::byte> incoming,
                 const std::function<void()>& before_passing) {
  const std::int32_t next = (channel.rank() + 1) % channel.size();
  const std::int32_t before = (channel.rank() + channel.size() - 1) % channel.size();
  if (channel.rank() != 0) {
    channel.receive(incoming, before, 0);
    std::copy(incoming.begin(), incoming.end(), token.begin());
  }
  before_passing();
  channel.send(token, next, 0);
  if (channel.rank() == 0) {
    channel.receive(incoming, before, 0);
  }
}

/// Waiting that always sleeps, with and without more ranks than cores. A lost wake-up would cost 30 s each.
TEST(Messages, WakeSleepers) {
  ShmOptions options;
  options.waiting = {.spin = 0, .yield = 0, .watch = 30};
  const auto work = [](ShmEndpoint& channel) {
    std::vector<std::byte> token(100000);
    std::vector<std::byte> incoming(token.size());
    for (int round = 0; round < 200; ++round) {
      const std::size_t bytes = round % 4 == 0 ? token.size() : 8;
      pass_around(channel, std::span(token).first(bytes), std::span(incoming).first(bytes), [] {});
    }
  };
  EXPECT_EQ(run_on_channel(2, work, options), all_fine(2));
  EXPECT_EQ(run_on_channel(5, work, options), all_fine(5));
}

/// Ranks that keep step may always find their message as they lie down, and never sleep. So each pauses before it
/// passes the token on, and they go on until all have slept and woken another; if one never did, that would be a hang.
TEST(Messages, FindTheirReceiversAsleep) {
  ShmOptions options;
  options.waiting = {.spin = 0, .yield = 0, .watch = 30};
  const auto work = [](ShmEndpoint& channel) {
    std::byte counted{};
    while (counted != static_cast<std::byte>(channel.size())) {
      std::byte rested{};
      pass_around(channel, std::span(&rested, 1), std::span(&counted, 1), [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const WaitCounts counts = channel.wait_counts();
        if (counts.sleeps > 0 && counts.wakes > 0) {
          rested = static_cast<std::byte>(static_cast<int>(rested) + 1);
        }
      });
      // Rank 0 says how many there were.
      pass_around(channel, std::span(&counted, 1), std::span(&counted, 1), [] {});
    }
  };
  EXPECT_EQ(run_on_channel(2, work, options), all_fine(2));
  EXPECT_EQ(run_on_channel(5, work, options), all_fine(5));
}

}  // namespace
}  // namespace postage
