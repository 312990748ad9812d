#include "blade/hardware/rings.hpp"
#include "sim/blade/simulated_machine.hpp"

#include <postage/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

// A get of 128 bytes, in cycles: the SPU issues it (10), the MFC makes a bus request of it (30), the command phase
// (100), the data phase (140 over three hops; two for each hop more or less), the SPU sees it (24).

namespace postage::blade {
namespace {

using Times = std::vector<Cycles>;

TEST(Rings, JoinTheElementsAsThePaperSays) {
  const auto hops = [](int from, int to) {
    return ring_path(position_of_spe(from), position_of_spe(to)).segments.size();
  };
  EXPECT_EQ(hops(6, 4), 1U);  // nearest neighbours
  EXPECT_EQ(hops(1, 6), 6U);  // the farthest
  EXPECT_EQ(hops(0, 1), 3U);  // over MIC and PPE
}

TEST(Rings, TakeTheShorterWay) {
  EXPECT_TRUE(ring_path(11, 1).clockwise);
  EXPECT_EQ(ring_path(11, 1).segments, (std::vector<std::size_t>{11, 0}));
  EXPECT_FALSE(ring_path(1, 11).clockwise);
  EXPECT_EQ(ring_path(1, 11).segments, (std::vector<std::size_t>{0, 11}));
}

TEST(Get, OfALine) {
  EXPECT_EQ(times_of({{1, 0, 128}}), Times{10 + 30 + 100 + 140 + 24});
  EXPECT_EQ(times_of({{2, 0, 128}}), Times{10 + 30 + 100 + 140 - 4 + 24});  // one hop
}

TEST(Get, OfAQuadwordTakesOneBusCycleForItsData) {
  EXPECT_EQ(times_of({{1, 0, 16}}), Times{10 + 30 + 100 + 140 - 14 + 24});
  EXPECT_EQ(times_of({{1, 0, 1}}), times_of({{1, 0, 16}}));
}

TEST(Get, RunsAtTheRateOfAPort) {
  // 16 requests of 16 cycles each under way cover the 240 cycles that one takes: a line each 16 cycles, 25.6 GB/s.
  EXPECT_EQ(times_of({{1, 0, 4096}}), Times{304 + 31 * 16});
}

TEST(Get, OfMoreThanACommandTakesIsCut) {
  EXPECT_EQ(times_of({{1, 0, 32 * 1024}}), Times{304 + 255 * 16});
}

TEST(Get, OfALineAcrossTheChips) {
  // The command crosses the BIF and comes back (320), the data cross it (160) over 4 + 4 hops (16) at 20.48 GB/s (20).
  EXPECT_EQ(times_of({{8, 0, 128}}), Times{10 + 30 + 100 + 320 + 118 + 16 + 160 + 20 + 24});
}

TEST(Get, AcrossTheChipsWaitsForItsOutstandingRequests) {
  // A request takes 734 cycles, of which 16 are under way at a time: the 17th starts when the first has ended.
  const Cycles request = 100 + 320 + 118 + 16 + 160 + 20;
  EXPECT_EQ(times_of({{8, 0, 4096}}), Times{40 + 2 * request + 15 * 20 + 24});
}

TEST(Gets, FromOneSpeShareItsPort) {
  // Of commands in one cycle the command bus takes SPE 2's first, whose data have only one hop. The other's wait at the
  // port until they have passed, which takes 16 cycles.
  EXPECT_EQ(times_of({{1, 0, 128}, {2, 0, 128}}), (Times{300 + 16, 300}));
}

TEST(Gets, FromOneSpeTakeTurns) {
  // 7 x 32 lines of 16 cycles at one port: all end within a turn of each other, none early.
  const Times times =
      times_of({{1, 0, 4096}, {2, 0, 4096}, {3, 0, 4096}, {4, 0, 4096}, {5, 0, 4096}, {6, 0, 4096}, {7, 0, 4096}});
  EXPECT_NEAR(*std::max_element(times.begin(), times.end()), 304 + 223 * 16, 8);
  EXPECT_GE(*std::min_element(times.begin(), times.end()), 304 + 216 * 16 - 8);
}

TEST(Gets, OfDisjointPairsShareTheCommandBusAlone) {
  const Cycles alone = 304 - 4 + 31 * 16;
  EXPECT_EQ(times_of({{4, 6, 4096}, {0, 2, 4096}, {3, 1, 4096}, {7, 5, 4096}}),
            (Times{alone + 6, alone + 4, alone + 2, alone}));
}

TEST(Gets, OverOneSegmentHaveTwoRingsEachWay) {
  // SPE1 -> SPE7, SPE3 -> SPE6 and SPE5 -> SPE4 run clockwise over the segment behind SPE5.
  const Times two = times_of({{7, 1, 16384}, {6, 3, 16384}});
  const Times three = times_of({{7, 1, 16384}, {6, 3, 16384}, {4, 5, 16384}});
  EXPECT_LE(*std::max_element(two.begin(), two.end()), 304 + 127 * 16 + 8);
  // 384 lines of 16 cycles over two rings.
  EXPECT_GE(*std::max_element(three.begin(), three.end()), 384 * 16 / 2);
  EXPECT_LE(*std::max_element(three.begin(), three.end()), 384 * 16 / 2 + 304);
}

TEST(Gets, InBothDirectionsDoNotShareTheBif) {
  // But its commands occupy both command buses.
  EXPECT_EQ(times_of({{8, 0, 4096}, {0, 8, 4096}}).front(), times_of({{8, 0, 4096}}).front() + 2);
}

TEST(Gets, InOneDirectionShareTheBif) {
  std::vector<Get> gets;
  for (int i = 0; i < 8; ++i) {
    gets.push_back({8 + i, i, 16384});
  }
  const Times times = times_of(gets);
  const Cycles last = *std::max_element(times.begin(), times.end());
  const Cycles crossing = 8 * 16384 / 6.4;
  EXPECT_GE(last, crossing + 798 - 40);
  EXPECT_LE(last, crossing + 798 + 20);
}

TEST(Mfc, HoldsSixteenCommands) {
  Session session(simulated_machine(), 2);
  Cycles sixteenth = 0;
  session.run_on(0, [&] {
    for (int i = 0; i < 16; ++i) {
      session.spe(0).put(session.spe(1), {});
    }
    sixteenth = session.now();
    session.spe(0).put(session.spe(1), {});
  });
  // The first ends at 10 + 30 + 100 + 126; only then is the 17th issued.
  EXPECT_EQ(session.run(), Times{266 + 10});
  EXPECT_EQ(sixteenth, 160);
}

TEST(Mfc, RefusesLongCommands) {
  Session session(simulated_machine(), 2);
  Mfc mfc(simulated_machine(), simulated_machine().spe(0));
  session.run_on(0, [&] { mfc.enqueue({&simulated_machine().spe(1), &simulated_machine().spe(0), 16385, [] {}}); });
  EXPECT_THROW(session.run(), Error);
}

TEST(Spe, CombinesThreeCyclesAQuadword) {
  EXPECT_EQ(simulated_machine().hardware().combining(1024), 36 + 64 * 3);
}

}  // namespace
}  // namespace postage::blade
