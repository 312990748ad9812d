// RTS, CTS and FIN, step by step, without processes; and who is still there.
#include "pair_of_ranks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace postage::shm {
namespace {

using test::options_with;
using test::PairOfRanks;

constexpr Bytes kNever = ProtocolThresholds::kNever;
constexpr ProtocolThresholds kSingleCopy{
    .eager = 0, .single_copy = 0, .cooperative = 200000, .skewed_single_copy = 0, .bidirectional_single_copy = 0};

bool is_done(const Operation& operation) {
  return operation.state == Operation::State::kDone;
}

TEST(Rendezvous, LeavesTheMessageWithItsSenderUntilTheReceiveIsThere) {
  PairOfRanks pair(options_with(kSingleCopy));
  std::vector<std::byte> message(100000, std::byte{1});
  std::vector<std::byte> received(message.size());
  const Operation& send = pair.a.send(message);
  pair.settle();
  EXPECT_FALSE(is_done(send));
  EXPECT_EQ(pair.a.group.peer(1).rts_pending, 1U);
  std::fill(message.begin(), message.end(), std::byte{2});
  const Operation& receive = pair.b.receive(received);
  EXPECT_TRUE(is_done(receive)) << "it was read at once";
  EXPECT_EQ(received, message) << "as it is now";
  EXPECT_FALSE(is_done(send)) << "the FIN is not there yet";
  pair.settle();
  EXPECT_TRUE(is_done(send));
  EXPECT_EQ(pair.a.group.peer(1).rts_pending, 0U);
  EXPECT_EQ(pair.a.group.peer(1).sent.single_copy, 1U);
  EXPECT_EQ(pair.b.group.peer(0).received.single_copy, 1U);
}

TEST(Rendezvous, IsCooperativeFromItsThresholdOn) {
  PairOfRanks pair(options_with(kSingleCopy));
  const std::vector<std::byte> message(300000, std::byte{3});
  std::vector<std::byte> received(message.size());
  const Operation& receive = pair.b.receive(received);
  const Operation& send = pair.a.send(message);
  pair.settle();
  EXPECT_TRUE(is_done(send) && is_done(receive));
  EXPECT_EQ(received, message);
  EXPECT_EQ(pair.b.group.peer(0).received.cooperative, 1U);
}

/// A message that finds no room in the pool comes chunk by chunk.
TEST(Rendezvous, IsPipelinedThroughThePool) {
  SegmentOptions memory;
  memory.pool_bytes = 8 * memory.chunk_bytes;
  PairOfRanks pair(
      options_with({.eager = 0, .single_copy = kNever, .cooperative = kNever, .skewed_single_copy = kNever}), memory);
  std::vector<std::byte> message(50 * static_cast<std::size_t>(memory.chunk_bytes) + 5);
  for (std::size_t i = 0; i < message.size(); ++i) {
    message[i] = static_cast<std::byte>(i / 1000);
  }
  std::vector<std::byte> received(message.size());
  const Operation& send = pair.a.send(message);
  const Operation& receive = pair.b.receive(received);
  pair.settle();
  EXPECT_TRUE(is_done(send) && is_done(receive));
  EXPECT_EQ(received, message);
  EXPECT_EQ(pair.a.group.peer(1).sent.pipelined, 1U);
  EXPECT_EQ(pair.a.group.peer(1).rts_pending, 0U);
}

TEST(Rendezvous, EndsATruncatedMessage) {
  PairOfRanks pair(options_with(kSingleCopy));
  const std::vector<std::byte> message(100000);
  std::vector<std::byte> small(message.size() - 1);
  const Operation& receive = pair.b.receive(small);
  const Operation& send = pair.a.send(message);
  pair.settle();
  EXPECT_TRUE(is_done(send));
  EXPECT_EQ(receive.failure, Operation::Failure::kTruncated);
}

TEST(Rendezvous, FailsWhereTheSenderHasLeft) {
  PairOfRanks pair(options_with(kSingleCopy));
  const std::vector<std::byte> message(100000);
  std::vector<std::byte> received(message.size());
  const Operation& receive = pair.b.receive(received);
  pair.a.send(message);
  pair.a.group.leave();
  pair.settle();
  EXPECT_EQ(receive.failure, Operation::Failure::kPeerLeft);
}

TEST(Liveness, KnowsWhoHasLeft) {
  PairOfRanks pair(options_with(kSingleCopy));
  EXPECT_FALSE(pair.b.liveness.is_silent(0));
  EXPECT_FALSE(pair.b.liveness.is_silent(kAnySource));
  EXPECT_NO_THROW(pair.b.liveness.check_peers());
  pair.a.send(std::vector<std::byte>(10));
  pair.a.group.leave();
  EXPECT_FALSE(pair.b.liveness.is_silent(0)) << "its message is still to be received";
  pair.settle();
  EXPECT_TRUE(pair.b.liveness.is_silent(0));
  EXPECT_TRUE(pair.b.liveness.is_silent(kAnySource));
  EXPECT_NO_THROW(pair.b.liveness.check_peers()) << "to leave is not to die";
}

TEST(Liveness, GivesUpWhereAnotherRankHas) {
  PairOfRanks pair(options_with(kSingleCopy));
  bool was_closed = false;
  pair.a.liveness.before_giving_up([&] { was_closed = true; });
  EXPECT_THROW(pair.a.liveness.give_up("for this test"), PeerDied);
  EXPECT_TRUE(was_closed);
  EXPECT_THROW(pair.a.liveness.check_usable(), PeerDied);
  EXPECT_NO_THROW(pair.b.liveness.check_usable());
  EXPECT_THROW(pair.b.liveness.check_peers(), PeerDied);
  EXPECT_THROW(static_cast<void>(pair.b.liveness.still_sends(pair.b.group.peer(0))), PeerDied);
}

TEST(Liveness, LooksAtMostOnceInAnInterval) {
  ShmOptions options = options_with(kSingleCopy);
  options.waiting.watch = 1000;
  PairOfRanks pair(options);
  static_cast<void>(pair.a.liveness.watch());
  EXPECT_FALSE(pair.a.liveness.watch()) << "not so soon again";
  int watched = 0;
  options.waiting.watch = 0;
  PairOfRanks often(options);
  for (int i = 0; i < 4096; ++i) {
    watched += often.a.liveness.watch_occasionally() ? 1 : 0;
  }
  EXPECT_EQ(watched, 4);
}

}  // namespace
}  // namespace postage::shm
