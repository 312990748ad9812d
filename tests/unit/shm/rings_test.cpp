// Eager and buffered messages, step by step, without processes.
#include "pair_of_ranks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postage::shm {
namespace {

using test::options_with;
using test::PairOfRanks;

constexpr Bytes kNoLimit = ProtocolThresholds::kNever;
constexpr ProtocolThresholds kTwoCopies{
    .eager = 4000, .single_copy = kNoLimit, .cooperative = kNoLimit, .skewed_single_copy = kNoLimit};

bool has_finished(const Operation& operation) {
  return operation.state == Operation::State::kDone;
}

std::vector<std::byte> message_of(std::size_t bytes, int seed) {
  std::vector<std::byte> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    message[i] = static_cast<std::byte>(7 * i + static_cast<std::size_t>(seed) + i / 256);
  }
  return message;
}

TEST(Rings, DeliverToAReceiveThatIsPostedAndToOneThatComesLater) {
  for (const std::size_t bytes : {0U, 48U, 49U, 1000U, 4000U, 4001U, 100000U}) {
    PairOfRanks pair(options_with(kTwoCopies));
    const std::vector<std::byte> message = message_of(bytes, 3);
    std::vector<std::byte> first(bytes);
    std::vector<std::byte> second(bytes);
    const Operation& posted = pair.b.receive(first);
    EXPECT_TRUE(has_finished(pair.a.send(message))) << "it waits for nobody";
    EXPECT_FALSE(has_finished(posted));
    pair.settle();
    EXPECT_TRUE(has_finished(posted));
    EXPECT_EQ(first, message);
    EXPECT_TRUE(has_finished(pair.a.send(message)));
    pair.settle();
    EXPECT_EQ(pair.b.matcher.unexpected_from(0), 1U);
    EXPECT_TRUE(has_finished(pair.b.receive(second)));
    EXPECT_EQ(second, message);
    // A second eager message of several cells would wait for an answer to the first.
    const std::uint64_t buffered = bytes > 4000 ? 2 : bytes > 1040 ? 1 : 0;
    EXPECT_EQ(pair.a.group.peer(1).sent.buffered, buffered) << bytes;
    EXPECT_EQ(pair.b.group.peer(0).received.eager, 2 - buffered) << bytes;
  }
}

/// More than a ring holds: what finds no room waits in its turn.
TEST(Rings, QueueInOrder) {
  PairOfRanks pair(options_with(kTwoCopies));
  constexpr int kMessages = 3 * kCells;
  std::vector<std::vector<std::byte>> messages;
  std::vector<Operation*> sends;
  for (int i = 0; i < kMessages; ++i) {
    messages.push_back(message_of(static_cast<std::size_t>(10 * i % 1500), i));
  }
  for (const std::vector<std::byte>& message : messages) {
    sends.push_back(&pair.a.send(message));
  }
  EXPECT_FALSE(has_finished(*sends.back()));
  EXPECT_FALSE(pair.a.output.is_empty());
  pair.settle();
  EXPECT_TRUE(pair.a.output.is_empty());
  for (int i = 0; i < kMessages; ++i) {
    const std::vector<std::byte>& message = messages[static_cast<std::size_t>(i)];
    EXPECT_TRUE(has_finished(*sends[static_cast<std::size_t>(i)]));
    std::vector<std::byte> received(message.size());
    ASSERT_TRUE(has_finished(pair.b.receive(received)));
    ASSERT_EQ(received, message) << i;
  }
}

TEST(Rings, ForgetASendThatIsWithdrawn) {
  PairOfRanks pair(options_with(kTwoCopies));
  const std::vector<std::byte> message(20000);
  Operation* last = nullptr;
  for (std::size_t i = 0; i < kCells; ++i) {
    last = &pair.a.send(message);
  }
  ASSERT_FALSE(has_finished(*last));
  pair.a.output.withdraw(*last);
  EXPECT_FALSE(last->in_list);
  pair.settle();
  EXPECT_EQ(pair.b.matcher.unexpected_from(0), kCells - 1);
}

TEST(Rings, ReportATruncatedMessage) {
  PairOfRanks pair(options_with(kTwoCopies));
  std::vector<std::byte> small(999);
  const Operation& receive = pair.b.receive(small);
  pair.a.send(message_of(1000, 1));
  pair.settle();
  EXPECT_EQ(receive.failure, Operation::Failure::kTruncated);
  EXPECT_EQ(receive.status.bytes, 1000);
}

/// A receiver that finds many messages waiting reports it, and takes it back once its queue has been short for long.
TEST(Rings, ReportSkew) {
  PairOfRanks pair(options_with(kTwoCopies));
  const std::vector<std::byte> message = message_of(5000, 5);
  std::vector<std::byte> received(message.size());
  constexpr int kAhead = SkewDetector::kLongQueue + SkewDetector::kRaiseAfter + 2;
  for (int i = 0; i < kAhead; ++i) {
    pair.a.send(message);
  }
  EXPECT_FALSE(pair.a.group.peer(1).reports_skew());
  pair.settle();
  for (int i = 0; i < kAhead; ++i) {
    pair.b.receive(received);
  }
  EXPECT_TRUE(pair.a.group.peer(1).reports_skew());
  for (std::uint32_t i = 0; i < SkewDetector::kRestoreAfter; ++i) {
    pair.b.receive(received);
    pair.a.send(message);
    pair.settle();
  }
  EXPECT_FALSE(pair.a.group.peer(1).reports_skew());
}

TEST(Rings, ReceiveAtOnceOnlyWhatMatches) {
  PairOfRanks pair(options_with(kTwoCopies));
  const std::vector<std::byte> message = message_of(30, 5);
  std::vector<std::byte> received(message.size());
  const Buffer buffer = Buffer::of(StridedBytes(received));
  EXPECT_FALSE(pair.b.input.receive_now(buffer, {0, 1, 0}).has_value()) << "nothing is there";
  pair.a.send(message);
  EXPECT_FALSE(pair.b.input.receive_now(buffer, {0, 2, 0}).has_value()) << "another tag";
  const auto status = pair.b.input.receive_now(buffer, {0, kAnyTag, 0});
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(*status, (MessageStatus{0, 1, 30}));
  EXPECT_EQ(received, message);
}

}  // namespace
}  // namespace postage::shm
