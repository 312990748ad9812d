#include "support/large_memory.hpp"
#include "support/ranks.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::require;
using test::run_ranks;
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

/// With and without single copy, and with the default thresholds.
void check_every_protocol(std::int32_t ranks, const std::function<void(ShmEndpoint&)>& work) {
  EXPECT_EQ(run_ranks(ranks, work), all_fine(ranks));
  EXPECT_EQ(run_ranks(ranks, work, test::with_every_protocol()), all_fine(ranks));
  EXPECT_EQ(run_ranks(ranks, work, without_single_copy()), all_fine(ranks));
}

TEST(Messages, ArriveWhole) {
  const std::vector<std::size_t> sizes{0,      1,      47,     48,     49,      64,      1000,   4095,
                                       4096,   4097,   8192,   8193,   16384,   32767,   32768,  65536,
                                       131071, 131072, 131073, 262144, 1000000, 4194304, 5000001};
  const auto work = [&](ShmEndpoint& endpoint) {
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::vector<std::byte> expected = pattern(sizes[i], i);
      if (endpoint.rank() == 0) {
        endpoint.send(expected, 1, static_cast<int>(i));
        endpoint.send(expected, 1, static_cast<int>(i));
        continue;
      }
      std::vector<std::byte> message(sizes[i]);
      const MessageStatus status = endpoint.receive(message, 0, static_cast<int>(i));
      require(status == MessageStatus{0, static_cast<int>(i), static_cast<Bytes>(sizes[i])}, "status");
      require(message == expected, "bytes of " + std::to_string(sizes[i]));
      // The second one is there before its receive.
      const MessageStatus probed = endpoint.probe(0, kAnyTag);
      require(probed == status, "probe");
      std::vector<std::byte> again(sizes[i]);
      require(endpoint.receive(again, kAnySource, kAnyTag) == status, "status of the second");
      require(again == expected, "bytes of unexpected " + std::to_string(sizes[i]));
    }
  };
  check_every_protocol(2, work);
}

/// Messages of more than 2 GiB: no count, and no system call, takes them at once.
TEST(Messages, MayBeLargerThanTwoGibibytes) {
  constexpr std::size_t kPeriod = std::size_t{16} << 20;
  constexpr std::size_t kBytes = (std::size_t{2} << 30) + kPeriod / 2 + 5;
  const auto work = [&](ShmEndpoint& endpoint) {
    const std::vector<std::byte> period = pattern(kPeriod, 3);
    if (endpoint.rank() == 0) {
      endpoint.send(test::repeated(period, kBytes), 1, 0);
      return;
    }
    const std::span message = test::new_memory(kBytes);
    const MessageStatus status = endpoint.receive(message, 0, 0);
    require(status.bytes == static_cast<Bytes>(kBytes), "status");
    for (std::size_t at = 0; at < kBytes; at += kPeriod) {
      const std::size_t length = std::min(kPeriod, kBytes - at);
      require(std::memcmp(message.data() + at, period.data(), length) == 0, "bytes at " + std::to_string(at));
    }
  };
  check_every_protocol(2, work);
}

/// A column of a matrix becomes a row, and back, by every protocol.
TEST(Messages, MayBeStrided) {
  const auto work = [&](ShmEndpoint& endpoint) {
    for (const Bytes rows : {Bytes{3}, Bytes{300}, Bytes{3000}, Bytes{60000}}) {
      constexpr Bytes kWidth = 24;
      constexpr Bytes kBlock = 8;
      const std::vector<std::byte> matrix = pattern(static_cast<std::size_t>(rows * kWidth), 5);
      if (endpoint.rank() == 0) {
        endpoint.send(ConstStridedBytes(matrix.data() + kBlock, kBlock, kWidth, rows), 1, 0);
        std::vector<std::byte> back(matrix.size(), std::byte{0});
        endpoint.receive(StridedBytes(back.data() + kBlock, kBlock, kWidth, rows), 1, 0);
        for (std::size_t i = 0; i < back.size(); ++i) {
          const bool in_column = i % kWidth >= kBlock && i % kWidth < 2 * kBlock;
          require(back[i] == (in_column ? matrix[i] : std::byte{0}), "column at " + std::to_string(i));
        }
      } else {
        std::vector<std::byte> row(static_cast<std::size_t>(rows * kBlock));
        require(endpoint.receive(row, 0, 0).bytes == rows * kBlock, "bytes of a column");
        for (std::size_t i = 0; i < row.size(); ++i) {
          require(row[i] == matrix[i / kBlock * kWidth + kBlock + i % kBlock], "row at " + std::to_string(i));
        }
        endpoint.send(row, 0, 0);
      }
    }
  };
  check_every_protocol(2, work);
}

TEST(Messages, MatchByTagAndContextInOrder) {
  const auto work = [](ShmEndpoint& endpoint) {
    if (endpoint.rank() == 0) {
      for (std::byte i{0}; i < std::byte{6}; i = static_cast<std::byte>(static_cast<int>(i) + 1)) {
        endpoint.send(std::span(&i, 1), 1, static_cast<int>(i) % 2, static_cast<int>(i) < 4 ? 0U : 9U);
      }
      return;
    }
    const auto next = [&](int tag, std::uint32_t context) {
      std::byte message{};
      endpoint.receive(std::span(&message, 1), 0, tag, context);
      return static_cast<int>(message);
    };
    require(next(1, 9) == 5, "context");
    require(next(1, 0) == 1, "first of tag 1");
    require(next(kAnyTag, 0) == 0, "first of any tag");
    require(next(1, 0) == 3, "second of tag 1");
    require(next(kAnyTag, 9) == 4, "any tag of another context");
    require(next(0, 0) == 2, "last");
  };
  EXPECT_EQ(run_ranks(2, work), all_fine(2));
}

TEST(Messages, ThatDoNotFitAreReportedAndGone) {
  const auto work = [](ShmEndpoint& endpoint) {
    for (const std::size_t bytes : {std::size_t{10}, std::size_t{4000}, std::size_t{20000}, std::size_t{500000}}) {
      const std::vector<std::byte> message = pattern(bytes, 1);
      if (endpoint.rank() == 0) {
        endpoint.send(message, 1, 0);
        endpoint.send(message, 1, 0);
        endpoint.send(message, 1, 1);
        continue;
      }
      std::vector<std::byte> small(bytes - 1);
      require(throws<Truncated>([&] { endpoint.receive(small, 0, 0); }), "truncation");
      std::vector<std::byte> whole(bytes);
      std::vector<ShmRequest> requests{endpoint.start_receive(small, 0, 0), endpoint.start_receive(whole, 0, 1)};
      require(throws<Truncated>([&] { endpoint.wait_all(requests); }), "truncation of one of two");
      require(requests[0].is_null() && requests[1].is_null(), "both have been waited for");
      require(whole == message, "the other one");
    }
  };
  check_every_protocol(2, work);
}

TEST(Messages, ToOneself) {
  const auto work = [](ShmEndpoint& endpoint) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, std::size_t{100000}}) {
      const std::vector<std::byte> message = pattern(bytes, 2);
      std::vector<std::byte> first(bytes);
      std::vector<std::byte> second(bytes);
      std::vector<std::byte> third(bytes);
      ShmRequest receive = endpoint.start_receive(first, 0, 1);
      endpoint.send(message, 0, 1);
      require(endpoint.wait(receive) == MessageStatus{0, 1, static_cast<Bytes>(bytes)}, "posted first");
      endpoint.send(message, 0, 2);  // waits for nobody
      ShmRequest send = endpoint.start_send(message, 0, 3);
      require(endpoint.try_probe(kAnySource, 3).has_value(), "probe of one's own");
      endpoint.receive(second, kAnySource, 2);
      endpoint.receive(third, 0, kAnyTag);
      endpoint.wait(send);
      require(first == message && second == message && third == message, "bytes");
    }
  };
  EXPECT_EQ(run_ranks(1, work), all_fine(1));
}

TEST(Messages, ProbesLeaveThemWhereTheyAre) {
  const auto work = [](ShmEndpoint& endpoint) {
    if (endpoint.rank() == 0) {
      const std::array<std::byte, 3> message{};
      endpoint.send(message, 1, 4);
      std::byte token{};
      endpoint.receive(std::span(&token, 1), 1, 0);
      return;
    }
    require(!endpoint.try_probe(0, 5), "another tag");
    require(endpoint.probe(kAnySource, 4) == MessageStatus{0, 4, 3}, "probe");
    require(endpoint.try_probe(0, kAnyTag) == MessageStatus{0, 4, 3}, "probe again");
    std::array<std::byte, 3> message{};
    endpoint.receive(message, 0, 4);
    require(!endpoint.try_probe(kAnySource, kAnyTag), "nothing is left");
    endpoint.send(std::span(message).first(1), 0, 0);
  };
  EXPECT_EQ(run_ranks(2, work), all_fine(2));
}

/// More pending sends than any pool or ring holds, unmatched until the last: all must come, in order.
TEST(Messages, MayAllBeUnderWayAtOnce) {
  constexpr std::size_t kMessages = 600;
  const auto work = [](ShmEndpoint& endpoint) {
    const std::vector<std::byte> message = pattern(30000, 7);
    if (endpoint.rank() == 0) {
      std::vector<ShmRequest> requests;
      for (std::size_t i = 0; i < kMessages; ++i) {
        requests.push_back(endpoint.start_send(std::span(message).first(20000 + i), 1, static_cast<int>(i)));
      }
      const std::byte last{1};
      endpoint.send(std::span(&last, 1), 1, 1000000);
      endpoint.wait_all(requests);
      return;
    }
    std::byte last{};
    endpoint.receive(std::span(&last, 1), 0, 1000000);
    require(endpoint.connection(0).unexpected_messages == kMessages, "all have arrived");
    for (std::size_t i = kMessages; i-- > 0;) {
      std::vector<std::byte> received(message.size());
      const MessageStatus status = endpoint.receive(received, 0, static_cast<int>(i));
      require(status.bytes == static_cast<Bytes>(20000 + i), "size");
      require(std::equal(received.begin(), received.begin() + status.bytes, message.begin()), "bytes");
    }
  };
  check_every_protocol(2, work);
}

/// What one rank does not receive must not keep others from getting theirs.
TEST(Messages, PassAnotherRanksUnmatchedOnes) {
  const auto work = [](ShmEndpoint& endpoint) {
    const std::vector<std::byte> message = pattern(100000, 7);
    std::byte token{};
    if (endpoint.rank() == 0) {
      std::vector<ShmRequest> requests;
      for (int i = 0; i < 200; ++i) {
        requests.push_back(endpoint.start_send(message, 1, i));
      }
      endpoint.send(message, 2, 0);
      endpoint.wait_all(requests);
    } else if (endpoint.rank() == 2) {
      std::vector<std::byte> received(message.size());
      endpoint.receive(received, 0, 0);
      require(received == message, "bytes");
      endpoint.send(std::span(&token, 1), 1, 0);
    } else {
      endpoint.receive(std::span(&token, 1), 2, 0);
      for (int i = 0; i < 200; ++i) {
        std::vector<std::byte> received(message.size());
        endpoint.receive(received, 0, i);
        require(received == message, "bytes");
      }
    }
  };
  check_every_protocol(3, work);
}

TEST(Messages, ThatAreInvalidAreRefused) {
  const auto work = [](ShmEndpoint& endpoint) {
    std::array<std::byte, 8> message{};
    require(throws<UsageError>([&] { endpoint.send(message, 2, 0); }), "target");
    require(throws<UsageError>([&] { endpoint.send(message, -1, 0); }), "negative target");
    require(throws<UsageError>([&] { endpoint.send(message, 0, kAnyTag); }), "tag of a send");
    require(throws<UsageError>([&] { endpoint.receive(message, 2, 0); }), "source");
    require(throws<UsageError>([&] { endpoint.receive(message, 0, -7); }), "tag");
    require(throws<UsageError>([&] { endpoint.send(ConstStridedBytes(message.data(), 4, 2, 2), 0, 0); }), "overlap");
    require(throws<UsageError>([&] { static_cast<void>(endpoint.connection(endpoint.rank())); }), "own connection");
    ShmRequest once = endpoint.start_receive(message, endpoint.rank(), 3);
    ShmRequest twice = once;
    endpoint.send(message, endpoint.rank(), 3);
    endpoint.wait(once);
    require(throws<UsageError>([&] { endpoint.wait(twice); }), "waited for twice");
    ShmRequest null;
    require(endpoint.test(null).has_value(), "a null request has completed");
  };
  EXPECT_EQ(run_ranks(2, work), all_fine(2));
}

}  // namespace
}  // namespace postage
