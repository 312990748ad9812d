// Which way messages take, and that they fall back where one is closed.
#include "support/ranks.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <new>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace postage {
namespace {

using test::all_fine;
using test::ForkedRanks;
using test::require;
using test::run_on_channel;

ShmOptions with_thresholds(const ProtocolThresholds& thresholds) {
  ShmOptions options;
  options.thresholds = ThresholdTable::uniform(thresholds);
  return options;
}

constexpr ProtocolThresholds kThresholds{
    .eager = 4096, .single_copy = 16384, .joint_copy = 262144, .skewed_single_copy = 131072};

/// One message of each size from rank 0 to rank 1, whose receive is there first.
void send_each(ShmEndpoint& channel, const std::vector<std::size_t>& sizes) {
  for (const std::size_t bytes : sizes) {
    std::vector<std::byte> message(bytes, std::byte{1});
    std::byte token{};
    if (channel.rank() == 0) {
      channel.receive(std::span(&token, 1), 1, 0);
      channel.send(message, 1, 1);
    } else {
      std::vector<std::byte> received(bytes);
      ShmRequest request = channel.start_receive(received, 0, 1);
      channel.send(std::span(&token, 1), 0, 0);
      channel.wait(request);
      require(received == message, "bytes");
    }
  }
}

std::string as_text(const ProtocolCounts& counts) {
  return "ring " + std::to_string(counts.ring) + ", pool " + std::to_string(counts.pool) + ", pipeline " +
         std::to_string(counts.pipeline) + ", single " + std::to_string(counts.single_copy) + ", joint " +
         std::to_string(counts.joint_copy);
}

TEST(Ways, FollowTheThresholds) {
  const auto work = [](ShmEndpoint& channel) {
    send_each(channel, {0, 48, 4096, 4097, 16383, 16384, 262143, 262144});
    const ProtocolCounts counts = channel.connection(1 - channel.rank()).received;
    if (channel.rank() == 1) {
      require(counts.ring == 3 && counts.pool == 2 && counts.single_copy == 2 && counts.joint_copy == 1,
              as_text(counts));
    }
  };
  EXPECT_EQ(run_on_channel(2, work, with_thresholds(kThresholds)), all_fine(2));
}

TEST(Ways, LeadThroughThePoolWithoutSingleCopy) {
  ShmOptions options = with_thresholds(kThresholds);
  options.single_copy = false;
  const auto work = [](ShmEndpoint& channel) {
    // What is too long for the pool waits for its receive and is pushed through.
    send_each(channel, {4096, 4097, 262144, 5000000});
    const ProtocolCounts counts = channel.connection(1 - channel.rank()).received;
    if (channel.rank() == 1) {
      require(counts.ring == 1 && counts.pool == 2 && counts.pipeline == 1, as_text(counts));
    }
    require(channel.connection(1 - channel.rank()).single_copy_refused, "known to be refused");
  };
  EXPECT_EQ(run_on_channel(2, work, options), all_fine(2));
}

/// From here on the kernel refuses this process to touch others' memory, as some containers do.
void forbid_touching_others() {
  std::array<sock_filter, 5> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
          "seccomp");
}

/// Rank `forbidden` may not read others; messages go both ways.
void check_fallback(std::int32_t forbidden, bool late) {
  const ShmSegment segment = ShmSegment::create(2);
  ForkedRanks ranks(2, [&](std::int32_t rank) {
    int warnings = 0;
    ShmOptions options = with_thresholds(kThresholds);
    options.warn = [&](const std::string& sentence) {
      ++warnings;
      require(sentence.find("process_vm_readv") != std::string::npos, sentence);
    };
    if (rank == forbidden && !late) {
      forbid_touching_others();
    }
    ShmEndpoint channel(segment, rank, options);
    send_each(channel, {20000, 300000});
    if (rank == forbidden && late) {
      forbid_touching_others();
    }
    send_each(channel, {20000, 300000, 6000000});
    if (rank == 1) {
      const ProtocolCounts counts = channel.connection(0).received;
      const bool refused = forbidden == 1;
      require(warnings == (refused ? 1 : 0), "warnings: " + std::to_string(warnings));
      require(channel.connection(0).single_copy_refused == refused, "what is known");
      require((counts.pipeline > 0) == refused, as_text(counts));
      require(refused || counts.single_copy == 2, as_text(counts));
    }
  });
  EXPECT_EQ(ranks.wait(), all_fine(2)) << "rank " << forbidden << (late ? " late" : "");
}

TEST(Ways, FallBackWhereTheKernelRefusesTheReceiver) {
  check_fallback(1, false);
}

TEST(Ways, FallBackWhereTheKernelRefusesLater) {
  check_fallback(1, true);
}

/// A sender that may not write only cannot help.
TEST(Ways, DoWithoutASenderThatMayNotHelp) {
  check_fallback(0, false);
  check_fallback(0, true);
}

/// Medium messages that find no receive make the receiver report skew; the sender then leaves them in the pool; and
/// when the queue has stayed short for long, all is as before.
TEST(Ways, ChangeWithSkewAndBack) {
  const auto work = [](ShmEndpoint& channel) {
    constexpr int kBurst = 20;
    const std::vector<std::byte> message(20000, std::byte{3});
    std::vector<std::byte> received(message.size());
    std::byte token{};
    const auto burst = [&] {
      if (channel.rank() == 0) {
        std::vector<ShmRequest> requests;
        for (int i = 0; i < kBurst; ++i) {
          requests.push_back(channel.start_send(message, 1, 1));
        }
        channel.send(std::span(&token, 1), 1, 2);
        channel.wait_all(requests);
        channel.receive(std::span(&token, 1), 1, 3);
      } else {
        channel.receive(std::span(&token, 1), 0, 2);
        for (int i = 0; i < kBurst; ++i) {
          channel.receive(received, 0, 1);
          require(received == message, "bytes");
        }
        channel.send(std::span(&token, 1), 0, 3);
      }
    };
    burst();
    const Connection first = channel.connection(1 - channel.rank());
    if (channel.rank() == 0) {
      require(first.peer_reports_skew && first.sent.single_copy == kBurst && first.sent.pool == 0, as_text(first.sent));
    } else {
      require(first.skew_reported && first.skew_raised == 1 && first.skew_restored == 0, "skew is reported");
    }
    burst();
    if (channel.rank() == 0) {
      const ProtocolCounts counts = channel.connection(1).sent;
      require(counts.single_copy == kBurst && counts.pool == kBurst, as_text(counts));
    }
    send_each(channel, std::vector<std::size_t>(70, message.size()));
    const Connection last = channel.connection(1 - channel.rank());
    require(channel.rank() == 0 ? !last.peer_reports_skew : last.skew_restored == 1, "all is as before");
  };
  EXPECT_EQ(run_on_channel(2, work, with_thresholds(kThresholds)), all_fine(2));
}

/// Of two that send to each other each reads: there is nobody to help.
TEST(Ways, AreNotJointWhereBothSend) {
  const auto work = [](ShmEndpoint& channel) {
    const std::int32_t other = 1 - channel.rank();
    const std::vector<std::byte> message(300000, std::byte{4});
    std::vector<std::byte> received(message.size());
    for (int i = 0; i < 10; ++i) {
      ShmRequest send = channel.start_send(message, other, 1);
      channel.receive(received, other, 1);
      channel.wait(send);
      require(received == message, "bytes");
    }
    const ProtocolCounts counts = channel.connection(other).received;
    require(counts.single_copy == 10 && counts.joint_copy == 0, as_text(counts));
    send_each(channel, {300000});
    require(channel.rank() == 0 || channel.connection(other).received.joint_copy == 1, "joint, one way");
  };
  EXPECT_EQ(run_on_channel(2, work, with_thresholds(kThresholds)), all_fine(2));
}

/// Thresholds that leave single copy to the judgement of exchanges, which tries it as often as it may.
ShmOptions with_many_trials() {
  constexpr Bytes kNever = ProtocolThresholds::kNever;
  ShmOptions options = with_thresholds(
      {.eager = 4096, .single_copy = kNever, .joint_copy = kNever, .skewed_single_copy = kNever, .exchange = 32768});
  options.seldom_trial = 1;
  return options;
}

/// Thresholds that decide alone.
ShmOptions without_judging(Bytes single_copy) {
  constexpr Bytes kNever = ProtocolThresholds::kNever;
  ShmOptions options = with_many_trials();
  options.thresholds = ThresholdTable::uniform(
      {.eager = 4096, .single_copy = single_copy, .joint_copy = kNever, .skewed_single_copy = kNever});
  return options;
}

/// Few messages go around it, so that two copies settle soon.
SegmentOptions small_pool() {
  SegmentOptions memory;
  memory.pool_bytes = 512 << 10;
  return memory;
}

/// Each rank sends the other one so many messages at the same time.
void exchange(ShmEndpoint& channel, std::size_t bytes, int times) {
  const std::int32_t other = 1 - channel.rank();
  for (int i = 0; i < times; ++i) {
    const std::vector<std::byte> message(bytes, static_cast<std::byte>(i));
    std::vector<std::byte> received(bytes);
    std::vector<ShmRequest> both{channel.start_receive(received, other, 1), channel.start_send(message, other, 1)};
    channel.wait_all(both);
    require(received == message, "bytes");
  }
}

TEST(Exchange, TakesBothWaysInTurnToJudgeThem) {
  const auto work = [](ShmEndpoint& channel) {
    exchange(channel, 100000, 200);
    const Connection connection = channel.connection(1 - channel.rank());
    for (const ProtocolCounts& counts : {connection.sent, connection.received}) {
      require(counts.pool > 10 && counts.single_copy > 10, as_text(counts));
    }
    // A rank that falls behind may find its peer's message before it sends its own.
    require(connection.crossed_messages > 150, "messages cross");
    require((connection.exchange_trials > 3) == (channel.rank() == 0), "the lower rank judges");
  };
  EXPECT_EQ(run_on_channel(2, work, with_many_trials(), small_pool()), all_fine(2));
}

TEST(Exchange, LeavesShorterMessagesAndTheRingAlone) {
  for (const Bytes from : {50000, 1000}) {
    ShmOptions options = with_many_trials();
    options.thresholds = ThresholdTable::uniform({.eager = 20000,
                                                  .single_copy = ProtocolThresholds::kNever,
                                                  .joint_copy = ProtocolThresholds::kNever,
                                                  .skewed_single_copy = ProtocolThresholds::kNever,
                                                  .exchange = from});
    const auto work = [from](ShmEndpoint& channel) {
      exchange(channel, 20000, 50);
      exchange(channel, 49999, 50);
      const ProtocolCounts counts = channel.connection(1 - channel.rank()).sent;
      require(counts.ring == 50 && (counts.single_copy == 0) == (from > 49999), as_text(counts));
    };
    EXPECT_EQ(run_on_channel(2, work, options, small_pool()), all_fine(2));
  }
}

TEST(Exchange, IsNotJudgedWhereThatIsSwitchedOff) {
  const auto work = [](ShmEndpoint& channel) {
    exchange(channel, 100000, 100);
    const Connection connection = channel.connection(1 - channel.rank());
    require(connection.sent.pool == 100 && connection.exchange_changes == 0, as_text(connection.sent));
  };
  ShmOptions without_single_copy = with_many_trials();
  without_single_copy.single_copy = false;
  EXPECT_EQ(run_on_channel(2, work, without_single_copy, small_pool()), all_fine(2));
  EXPECT_EQ(run_on_channel(2, work, without_judging(ProtocolThresholds::kNever), small_pool()), all_fine(2));
}

/// Blocking messages of which each answers the one before.
void converse(ShmEndpoint& channel, std::size_t bytes, int times) {
  const std::int32_t other = 1 - channel.rank();
  std::vector<std::byte> received(bytes);
  for (int i = 0; i < times; ++i) {
    const std::vector<std::byte> message(bytes, static_cast<std::byte>(i));
    if (channel.rank() == 0) {
      channel.send(message, other, 2);
    }
    channel.receive(received, other, 2);
    if (channel.rank() == 1) {
      channel.send(message, other, 2);
    }
    require(received == message, "bytes");
  }
}

/// Bursts of messages from rank 0.
void stream(ShmEndpoint& channel, std::size_t bytes, int times) {
  constexpr std::size_t kBurst = 8;
  const std::vector<std::byte> message(bytes, std::byte{6});
  std::vector<std::vector<std::byte>> received(kBurst, std::vector<std::byte>(bytes));
  for (int i = 0; i < times; ++i) {
    std::vector<ShmRequest> requests;
    for (std::size_t k = 0; k < kBurst; ++k) {
      requests.push_back(channel.rank() == 0 ? channel.start_send(message, 1, 3)
                                             : channel.start_receive(received[k], 0, 3));
    }
    channel.wait_all(requests);
    require(channel.rank() == 0 || received[kBurst - 1] == message, "bytes");
  }
}

/// Thresholds that have long messages offered, which are read or pushed in turn.
ShmOptions with_many_trials_of_offers() {
  ShmOptions options = with_many_trials();
  options.thresholds = ThresholdTable::uniform(
      {.eager = 4096, .single_copy = 32768, .joint_copy = 200000, .skewed_single_copy = 1 << 20, .exchange = 32768});
  return options;
}

TEST(Offers, AreReadAndPushedInTurnToJudgeThat) {
  const auto work = [](ShmEndpoint& channel) {
    const std::int32_t other = 1 - channel.rank();
    converse(channel, 100000, 200);
    const Connection connection = channel.connection(other);
    for (const ProtocolCounts& counts : {connection.sent, connection.received}) {
      require(counts.pipeline > 10 && counts.single_copy > 10, as_text(counts));
    }
    require(connection.crossed_messages == 0, "a conversation does not cross");
    require(connection.offer_trials > 3 && connection.exchange_trials == 0, "each receiver judges");
    converse(channel, 300000, 200);
    const ProtocolCounts counts = channel.connection(other).received;
    require(counts.pipeline > 20 && counts.joint_copy > 10, as_text(counts));
  };
  EXPECT_EQ(run_on_channel(2, work, with_many_trials_of_offers(), small_pool()), all_fine(2));
}

TEST(Offers, AreJudgedByTheReceiverOfAStream) {
  const auto work = [](ShmEndpoint& channel) {
    stream(channel, 100000, 50);
    const Connection connection = channel.connection(1 - channel.rank());
    require((connection.offer_trials > 3) == (channel.rank() == 1), "trials");
    const ProtocolCounts& counts = channel.rank() == 0 ? connection.sent : connection.received;
    require(counts.single_copy > 10 && counts.pipeline > 10, as_text(counts));
  };
  EXPECT_EQ(run_on_channel(2, work, with_many_trials_of_offers(), small_pool()), all_fine(2));
}

/// A sender that computes meanwhile pushes nothing; what it offered can be read.
TEST(Offers, AreReadFromSendersThatDoOtherThings) {
  static constexpr int kMessages = 60;
  ShmOptions options = with_many_trials_of_offers();
  options.seldom_trial = 64;
  const auto work = [](ShmEndpoint& channel) {
    const std::vector<std::byte> message(100000, std::byte{7});
    std::vector<std::byte> received(message.size());
    for (int i = 0; i < kMessages; ++i) {
      if (channel.rank() == 0) {
        ShmRequest send = channel.start_send(message, 1, 1);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        channel.wait(send);
      } else {
        channel.receive(received, 0, 1);
      }
    }
    const ProtocolCounts counts = channel.connection(1 - channel.rank()).received;
    require(channel.rank() == 0 || counts.single_copy > kMessages / 2, as_text(counts));
  };
  EXPECT_EQ(run_on_channel(2, work, options, small_pool()), all_fine(2));
}

TEST(Offers, AreReadWhereJudgingIsSwitchedOff) {
  const auto work = [](ShmEndpoint& channel) {
    converse(channel, 100000, 100);
    const Connection connection = channel.connection(1 - channel.rank());
    require(connection.sent.single_copy == 100 && connection.offer_trials == 0, as_text(connection.sent));
  };
  EXPECT_EQ(run_on_channel(2, work, without_judging(32768), small_pool()), all_fine(2));
}

/// Messages of which each answers the one before take the way of the thresholds.
TEST(Exchange, IsNotAConversation) {
  const auto work = [](ShmEndpoint& channel) {
    const std::int32_t other = 1 - channel.rank();
    exchange(channel, 100000, 20);
    const ProtocolCounts before = channel.connection(other).sent;
    converse(channel, 100000, 100);
    const ProtocolCounts after = channel.connection(other).sent;
    // The first one may still be taken for one that crosses.
    require(after.single_copy <= before.single_copy + 1, as_text(after));
  };
  EXPECT_EQ(run_on_channel(2, work, with_many_trials(), small_pool()), all_fine(2));
}

/// Longer than the pool: what is sent through it is asked for first, and counts all the same.
TEST(Exchange, IsJudgedWhereMessagesAreLongerThanThePool) {
  const auto work = [](ShmEndpoint& channel) {
    exchange(channel, 600 << 10, 150);
    const Connection connection = channel.connection(1 - channel.rank());
    require(connection.received.pipeline > 20 && connection.received.single_copy > 20, as_text(connection.received));
    require((connection.exchange_trials > 3) == (channel.rank() == 0), "trials");
  };
  EXPECT_EQ(run_on_channel(2, work, with_many_trials(), small_pool()), all_fine(2));
}

/// Ranks that both receive only after a blocking send count on room for their messages, as two copies give it.
TEST(Exchange, KeepsNobodyWaitingWhoSendsBeforeReceiving) {
  const auto work = [](ShmEndpoint& channel) {
    const std::int32_t other = 1 - channel.rank();
    const std::vector<std::byte> message(100000, std::byte{9});
    std::vector<std::byte> received(message.size());
    for (int i = 0; i < 200; ++i) {
      channel.send(message, other, 1);
      channel.receive(received, other, 1);
    }
    exchange(channel, message.size(), 100);
    channel.send(message, other, 1);
    channel.receive(received, other, 1);
  };
  EXPECT_EQ(run_on_channel(2, work, with_many_trials(), small_pool()), all_fine(2));
}

TEST(Exchange, GoesOnWhereTheKernelRefuses) {
  for (const std::int32_t forbidden : {0, 1}) {
    const ShmSegment segment = ShmSegment::create(2, small_pool());
    ForkedRanks ranks(2, [&](std::int32_t rank) {
      ShmOptions options = with_many_trials();
      options.warn = [](const std::string&) {};
      ShmEndpoint channel(segment, rank, options);
      exchange(channel, 100000, 50);
      if (rank == forbidden) {
        forbid_touching_others();
      }
      exchange(channel, 100000, 300);
      const Connection connection = channel.connection(1 - rank);
      require(connection.single_copy_refused == (rank == forbidden), "what is known");
      require(rank != forbidden || connection.received.pool > 200, as_text(connection.received));
    });
    EXPECT_EQ(ranks.wait(), all_fine(2)) << "rank " << forbidden;
  }
}

/// A stream of messages of several cells would fill a ring.
TEST(Ways, LeaveTheRingToMessagesThatAreAnswered) {
  ProtocolThresholds thresholds = kThresholds;
  thresholds.eager = 8192;
  thresholds.single_copy = thresholds.joint_copy = thresholds.skewed_single_copy = ProtocolThresholds::kNever;
  const auto work = [](ShmEndpoint& channel) {
    const std::int32_t other = 1 - channel.rank();
    converse(channel, 5000, 20);
    require(channel.connection(other).sent.ring == 20, "of a conversation");
    stream(channel, 5000, 1);
    const ProtocolCounts& sent = channel.connection(other).sent;
    require(channel.rank() == 1 || (sent.ring == 21 && sent.pool == 7), as_text(sent));
    stream(channel, 1000, 1);
    require(channel.rank() == 1 || channel.connection(other).sent.ring == 29, "messages of one cell");
  };
  EXPECT_EQ(run_on_channel(2, work, with_thresholds(thresholds)), all_fine(2));
}

/// A ring holds few messages of several cells; towards a peer that falls behind they go where there is more room.
TEST(Ways, LeaveTheRingWhereThePeerFallsBehind) {
  ProtocolThresholds thresholds = kThresholds;
  thresholds.eager = thresholds.single_copy = thresholds.joint_copy = thresholds.skewed_single_copy = 32768;
  const auto work = [](ShmEndpoint& channel) {
    constexpr int kBurst = 20;
    const std::vector<std::byte> message(12000, std::byte{5});
    std::vector<std::byte> received(message.size());
    std::byte token{};
    for (int round = 0; round < 3; ++round) {
      if (channel.rank() == 0) {
        std::vector<ShmRequest> requests;
        for (int i = 0; i < kBurst; ++i) {
          requests.push_back(channel.start_send(message, 1, 1));
        }
        // Nothing of this round is received before all of it is on its way, once the peer is known to be behind.
        if (round == 2) {
          channel.wait_all(requests);
        }
        ShmRequest go = channel.start_send(std::span(&token, 1), 1, 2);
        channel.wait(go);
        channel.wait_all(requests);
        channel.receive(std::span(&token, 1), 1, 3);
      } else {
        channel.receive(std::span(&token, 1), 0, 2);
        for (int i = 0; i < kBurst; ++i) {
          channel.receive(received, 0, 1);
          require(received == message, "bytes");
        }
        channel.send(std::span(&token, 1), 0, 3);
      }
    }
    const Connection last = channel.connection(1 - channel.rank());
    require(channel.rank() == 1 || last.sent.pool >= kBurst, as_text(last.sent));
  };
  EXPECT_EQ(run_on_channel(2, work, with_thresholds(thresholds)), all_fine(2));
}

/// A ring that holds two long messages shows no queue: that its sender waits for room is what tells. One thread makes
/// both ranks' calls in turn, so that the ring is full whenever the receiver looks.
TEST(Ways, SeeAFullRingAsAQueue) {
  ProtocolThresholds thresholds = kThresholds;
  thresholds.eager = thresholds.single_copy = thresholds.joint_copy = thresholds.skewed_single_copy = 100000;
  ShmOptions options = with_thresholds(thresholds);
  options.past_caches = false;
  const ShmSegment segment = ShmSegment::create(2);
  std::optional<ShmEndpoint> sender;
  std::thread joining([&] { sender.emplace(segment, 0, options); });
  ShmEndpoint receiver(segment, 1, options);
  joining.join();
  constexpr int kMessages = 20;
  const std::vector<std::byte> message(30000, std::byte{6});
  std::vector<std::byte> received(message.size());
  std::vector<ShmRequest> requests;
  for (int i = 0; i < kMessages; ++i) {
    requests.push_back(sender->start_send(message, 1, 1));
  }
  for (int i = 0; i < kMessages; ++i) {
    static_cast<void>(sender->test(requests.back()));  // fills the ring
    receiver.receive(received, 0, 1);
    ASSERT_EQ(received, message);
  }
  sender->wait_all(requests);
  EXPECT_TRUE(receiver.connection(0).skew_reported);
}

/// A sender that is ahead by more messages than the ring has cells needs not wait for each of them to be received.
TEST(Ways, NoteWhatTheSenderIsAhead) {
  ProtocolThresholds thresholds = kThresholds;
  thresholds.eager = 1000;
  thresholds.single_copy = thresholds.joint_copy = thresholds.skewed_single_copy = 32768;
  void* memory = mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* is_sent = new (memory) std::atomic<bool>(false);
  const auto work = [is_sent](ShmEndpoint& channel) {
    constexpr int kBefore = 20;    // by the end of these the receiver has reported skew
    constexpr int kMessages = 90;  // more than cells, fewer than chunks
    const std::vector<std::byte> message(12000, std::byte{7});
    std::vector<std::byte> received(message.size());
    std::byte token{};
    const auto start_all = [&](int count) {
      std::vector<ShmRequest> requests;
      for (int i = 0; i < count; ++i) {
        requests.push_back(channel.start_send(message, 1, 1));
      }
      return requests;
    };
    if (channel.rank() == 0) {
      std::vector<ShmRequest> requests = start_all(kBefore);
      channel.send(std::span(&token, 1), 1, 2);
      channel.wait_all(requests);
      requests = start_all(kMessages);
      channel.wait_all(requests);
      is_sent->store(true);
      return;
    }
    channel.receive(std::span(&token, 1), 0, 2);
    for (int i = 0; i < kBefore; ++i) {
      channel.receive(received, 0, 1);
    }
    require(channel.connection(0).skew_reported, "skew is reported");
    int before = 0;
    for (int i = 0; i < kMessages; ++i) {
      channel.receive(received, 0, 1);
      require(received == message, "bytes");
      for (int wait = 0; wait < 100 && !is_sent->load(); ++wait) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      before += is_sent->load() ? 0 : 1;
    }
    require(before < 10, "received before all were sent: " + std::to_string(before));
  };
  EXPECT_EQ(run_on_channel(2, work, with_thresholds(thresholds)), all_fine(2));
  munmap(memory, sizeof(std::atomic<bool>));
}

}  // namespace
}  // namespace postage
