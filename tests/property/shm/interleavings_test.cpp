// Every order of the steps of the ring, the doorbell and the part claims, in scenarios small enough to try them all,
// under a memory weaker than the real one; and the same with one precaution left out, which must be found out.
#include "shm/segment/doorbell.hpp"
#include "shm/segment/part_claims.hpp"
#include "shm/segment/ring.hpp"
#include "support/model_word.hpp"

#include <gtest/gtest.h>

namespace postage::shm {
namespace {

using test::ModelChecker;
using test::ModelWord;
using test::Violation;

/// A cell of two payload words, so that half a message would be seen.
struct ModelCell {
  ModelWord<std::uint32_t> stamp;
  ModelWord<std::uint64_t> first;
  ModelWord<std::uint64_t> second;
};

/// Words 0 is the acknowledged position; each cell has three words after it.
class ModelCells {
 public:
  explicit ModelCells(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t word = 1 + 3 * i;
      cells_.push_back(
          {ModelWord<std::uint32_t>(word), ModelWord<std::uint64_t>(word + 1), ModelWord<std::uint64_t>(word + 2)});
    }
  }
  [[nodiscard]] std::size_t size() const { return cells_.size(); }
  [[nodiscard]] ModelCell& operator[](std::uint64_t i) { return cells_[i]; }
  [[nodiscard]] static std::size_t words(std::size_t count) { return 1 + 3 * count; }

 private:
  std::vector<ModelCell> cells_;
};

struct ModelMemory {
  using Cell = ModelCell;
  using Cells = ModelCells;
  using Position = ModelWord<std::uint64_t>;
};

void produce(std::size_t cells, std::uint64_t messages) {
  ModelWord<std::uint64_t> acknowledged(0);
  RingProducer<ModelMemory> ring(ModelCells(cells), acknowledged);
  for (std::uint64_t message = 1; message <= messages; ++message) {
    ModelCell* cell = ModelChecker::until([&] { return ring.reserve(); });
    cell->first.store(message, std::memory_order_relaxed);
    cell->second.store(message, std::memory_order_relaxed);
    ring.publish();
  }
}

void consume(std::size_t cells, std::uint64_t messages) {
  ModelWord<std::uint64_t> acknowledged(0);
  RingConsumer<ModelMemory> ring(ModelCells(cells), acknowledged);
  for (std::uint64_t message = 1; message <= messages; ++message) {
    ModelCell* cell = ModelChecker::until([&] { return ring.front(); });
    const std::uint64_t first = cell->first.load(std::memory_order_relaxed);
    const std::uint64_t second = cell->second.load(std::memory_order_relaxed);
    if (first != message || second != message) {
      throw Violation("message " + std::to_string(message) + " reads " + std::to_string(first) + " and " +
                      std::to_string(second));
    }
    ring.pop();
  }
}

ModelChecker ring_of(std::size_t cells, std::uint64_t messages) {
  return {ModelCells::words(cells), {[=] { produce(cells, messages); }, [=] { consume(cells, messages); }}};
}

TEST(RingInterleavings, DeliverEveryMessageWholeAndInOrder) {
  struct Scenario {
    std::size_t cells;
    std::uint64_t messages;
  };
  // With 8 cells only every second message is acknowledged.
  for (const auto& [cells, messages] : {Scenario{1, 4}, Scenario{2, 6}, Scenario{4, 6}, Scenario{8, 10}}) {
    const ModelChecker::Result result = ring_of(cells, messages).run();
    EXPECT_EQ(result.violation, "") << cells << " cells";
    EXPECT_GT(result.states, 50U);
    EXPECT_GT(result.ends, 0U);
  }
}

TEST(RingInterleavings, ShowWhatAMissingReleaseWouldDo) {
  ModelChecker checker = ring_of(2, 3);
  checker.honours_release = false;
  EXPECT_NE(checker.run().violation, "");
}

/// A producer that believes in one cell more than there is: it must be caught overwriting what was not read.
TEST(RingInterleavings, ShowWhatAnOverfullRingWouldDo) {
  const auto produce_too_early = [] {
    ModelCells cells(2);
    for (std::uint64_t position = 0; position < 4; ++position) {
      ModelWord<std::uint64_t> acknowledged(0);
      ModelChecker::until([&] { return position < 3 + acknowledged.load(std::memory_order_acquire); });
      ModelCell& cell = cells[position % 2];
      cell.first.store(position + 1, std::memory_order_relaxed);
      cell.second.store(position + 1, std::memory_order_relaxed);
      cell.stamp.store(stamp_of(position, 2), std::memory_order_release);
    }
  };
  ModelChecker checker(ModelCells::words(2), {produce_too_early, [] { consume(2, 4); }});
  EXPECT_NE(checker.run().violation, "");
}

/// What the doorbell asks of the kernel.
struct ModelKernel {
  static void wait(ModelWord<std::uint32_t>& word, std::uint32_t seen, Seconds) { word.await_change(seen); }
  static void wake(ModelWord<std::uint32_t>&) {}
  static void barrier_everywhere() { ModelChecker::access({.kind = ModelChecker::Access::Kind::kBarrier}); }
};

using ModelBell = BasicDoorbell<ModelWord<std::uint32_t>>;

ModelBell model_bell() {
  return {ModelWord<std::uint32_t>(0), ModelWord<std::uint32_t>(1)};
}

/// Publishes in word 2 + `sender`.
void publish_and_wake(std::size_t sender, bool needs_fence) {
  ModelWord<std::uint32_t> message(2 + sender);
  message.store(1, std::memory_order_release);
  ModelBell bell = model_bell();
  static_cast<void>(wake<ModelKernel>(bell, needs_fence));
}

/// Sleeps until all senders have published, as Endpoint::sleep does.
void sleep_until_all_came(std::size_t senders, bool has_barriers) {
  const auto all_there = [&] {
    bool there = true;
    for (std::size_t sender = 0; sender < senders; ++sender) {
      there = ModelWord<std::uint32_t>(2 + sender).load(std::memory_order_acquire) != 0 && there;
    }
    return there;
  };
  ModelBell bell = model_bell();
  while (!all_there()) {
    Sleep<ModelKernel, ModelWord<std::uint32_t>> sleep(bell, has_barriers);
    sleep.announce();
    if (!all_there()) {
      sleep.wait(1);
    }
    sleep.end();
  }
}

ModelChecker doorbell_of(std::size_t senders, bool has_barriers, bool needs_fence) {
  std::vector<ModelChecker::Thread> threads{[=] { sleep_until_all_came(senders, has_barriers); }};
  for (std::size_t sender = 0; sender < senders; ++sender) {
    threads.emplace_back([=] { publish_and_wake(sender, needs_fence); });
  }
  return {2 + senders, threads};
}

TEST(DoorbellInterleavings, NeverLeaveASleeperBehind) {
  for (const std::size_t senders : {std::size_t{1}, std::size_t{2}}) {
    EXPECT_EQ(doorbell_of(senders, true, false).run().violation, "") << "membarrier";
    EXPECT_EQ(doorbell_of(senders, false, true).run().violation, "") << "fences";
  }
}

TEST(DoorbellInterleavings, ShowWhatNeitherBarrierNorFenceWouldDo) {
  EXPECT_EQ(doorbell_of(1, false, false).run().violation, "threads that wait for ever");
  ModelChecker checker = doorbell_of(1, true, false);
  checker.barriers_work = false;
  EXPECT_EQ(checker.run().violation, "threads that wait for ever");
}

using ModelClaims = BasicPartClaims<ModelWord<std::uint64_t>, ModelWord<std::uint32_t>>;

constexpr std::size_t kNews = 3;         ///< word in which the receiver announces a turn
constexpr std::size_t kFirstPart = 4;    ///< words of the parts: 1 once copied
constexpr std::size_t kClosedWord = 20;  ///< 1 once the receiver has taken its buffer back

ModelClaims model_claims() {
  return {ModelWord<std::uint64_t>(0), ModelWord<std::uint32_t>(1), ModelWord<std::uint32_t>(2)};
}

void copy_part(std::uint32_t turn, std::uint32_t part) {
  ModelWord<std::uint32_t> word(kFirstPart + part);
  if (word.exchange(turn, std::memory_order_acq_rel) == turn) {
    throw Violation("a part is copied twice");
  }
}

/// The receiver's turns, each of `parts` parts; `gives_up` ends the last one without waiting for all its parts.
void receive_turns(std::uint32_t turns, std::uint32_t parts, bool gives_up) {
  ModelClaims claims = model_claims();
  for (std::uint32_t turn = 1; turn <= turns; ++turn) {
    begin_turn(claims, turn);
    ModelWord<std::uint32_t>(kNews).store(turn, std::memory_order_release);
    std::uint32_t mine = 0;
    std::uint32_t part = 0;
    while (claim(claims, turn, parts, part)) {
      copy_part(turn, part);
      ++mine;
      if (gives_up) {
        break;
      }
    }
    if (gives_up) {
      const std::uint32_t theirs = end_turn(claims, turn, parts) - mine;
      ModelChecker::until([&] { return reported(claims) >= theirs; });
      ModelWord<std::uint32_t>(kClosedWord).store(1, std::memory_order_relaxed);
      return;
    }
    ModelChecker::until([&] { return reported(claims) + mine == parts; });
    for (std::uint32_t i = 0; i < parts; ++i) {
      if (ModelWord<std::uint32_t>(kFirstPart + i).load(std::memory_order_acquire) != turn) {
        throw Violation("a part is missing at the end");
      }
    }
  }
}

/// The sender helps with every turn that it hears of, perhaps after it has ended.
void help(std::uint32_t turns, std::uint32_t parts) {
  ModelClaims claims = model_claims();
  for (std::uint32_t turn = 1; turn <= turns; ++turn) {
    ModelChecker::until([&] { return ModelWord<std::uint32_t>(kNews).load(std::memory_order_acquire) >= turn; });
    std::uint32_t part = 0;
    while (claim(claims, turn, parts, part)) {
      if (ModelWord<std::uint32_t>(kClosedWord).load(std::memory_order_acquire) != 0) {
        throw Violation("a part is written after the receiver took its buffer back");
      }
      copy_part(turn, part);
      report_written(claims);
    }
  }
}

TEST(PartClaimsInterleavings, CopyEveryPartOnce) {
  struct Scenario {
    std::uint32_t turns;
    std::uint32_t parts;
  };
  for (const auto& [turns, parts] : {Scenario{3, 1}, Scenario{2, 2}, Scenario{1, 4}}) {
    ModelChecker checker(
        24, {[=, t = turns, p = parts] { receive_turns(t, p, false); }, [=, t = turns, p = parts] { help(t, p); }});
    const ModelChecker::Result result = checker.run();
    EXPECT_EQ(result.violation, "") << turns << " turns of " << parts << " parts";
    EXPECT_GT(result.states, 20U);
  }
}

TEST(PartClaimsInterleavings, LeaveTheBufferAloneOnceItIsTakenBack) {
  ModelChecker checker(24, {[] { receive_turns(1, 3, true); }, [] { help(1, 3); }});
  EXPECT_EQ(checker.run().violation, "");
}

}  // namespace
}  // namespace postage::shm
