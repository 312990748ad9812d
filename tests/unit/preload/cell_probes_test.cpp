#include "preload/probes/cell_probes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <vector>

namespace postage::preload {
namespace {

using Times = std::map<Candidate, CellProbes::Nanoseconds>;

constexpr Bytes kSize = 65536;
const std::vector<Candidate> kAll{Candidate::kLibrary, Candidate::kSlots, Candidate::kSingleCopy};

/// Calls of one size until the choice is made, and what carried each of them out.
struct ProbedCalls {
  std::vector<Candidate> calls{};
  std::optional<Candidate> choice{};
};

ProbedCalls run(CellProbes& probes, const Times& times, Bytes bytes = kSize) {
  ProbedCalls run;
  while (!run.choice) {
    const std::optional<Candidate> candidate = probes.begin(bytes);
    run.calls.push_back(candidate.value_or(Candidate::kUnknown));
    if (candidate) {
      probes.note(1000, 1000 + times.at(*candidate));
      run.choice = probes.is_round_over() ? probes.judge() : std::nullopt;
    }
  }
  return run;
}

ProbedCalls run(const Times& times) {
  CellProbes probes(kAll, 2);
  return run(probes, times);
}

Times times(CellProbes::Nanoseconds library, CellProbes::Nanoseconds slots, CellProbes::Nanoseconds single_copy) {
  return {{Candidate::kLibrary, library}, {Candidate::kSlots, slots}, {Candidate::kSingleCopy, single_copy}};
}

TEST(CellProbes, ChooseTheQuickest) {
  EXPECT_EQ(run(times(300, 200, 250)).choice, Candidate::kSlots);
  EXPECT_EQ(run(times(300, 250, 200)).choice, Candidate::kSingleCopy);
  EXPECT_EQ(run(times(200, 250, 300)).choice, Candidate::kLibrary);
}

TEST(CellProbes, LeaveWhatGainsLittleToTheLibrary) {
  EXPECT_EQ(run(times(1000, 980, 990)).choice, Candidate::kLibrary);
  EXPECT_EQ(run(times(1000, 960, 990)).choice, Candidate::kSlots);
}

TEST(CellProbes, TakeThreeRoundsOfFourCallsEach) {
  const ProbedCalls all = run(times(300, 200, 250));
  ASSERT_EQ(all.calls.size(), 36U);
  for (std::size_t call = 0; call < all.calls.size(); ++call) {
    EXPECT_EQ(all.calls[call], kAll[call / 4 % 3]) << call;
  }
}

TEST(CellProbes, DropWhatTakesMoreThanTwiceTheLeast) {
  const ProbedCalls two = run(times(500, 200, 250));
  EXPECT_EQ(two.choice, Candidate::kSlots);
  EXPECT_EQ(two.calls.size(), 12U + 8 + 8);
  const ProbedCalls one = run(times(500, 200, 450));
  EXPECT_EQ(one.choice, Candidate::kSlots);
  EXPECT_EQ(one.calls.size(), 12U);
}

TEST(CellProbes, CountNeitherFirstCallsNorTheFirstRoundNorOneThatIsDisturbed) {
  CellProbes probes(kAll, 2);
  std::optional<Candidate> choice;
  for (int call = 0; !choice; ++call) {
    const Candidate candidate = *probes.begin(kSize);
    const CellProbes::Nanoseconds time = candidate == Candidate::kSlots ? 200 : 300;
    const bool is_first = call % 12 == 4 || call % 12 == 5;
    const bool is_cold = call == 6 || call == 7;
    const bool is_disturbed = call == 18;
    probes.note(0, is_first || is_disturbed ? 100 * time : is_cold ? 2 * time : time);
    choice = probes.is_round_over() ? probes.judge() : std::nullopt;
  }
  EXPECT_EQ(choice, Candidate::kSlots);
}

TEST(CellProbes, JudgeByTheTimesOfAllRanks) {
  std::array<CellProbes, 2> ranks{CellProbes(kAll, 2), CellProbes(kAll, 2)};
  const std::array own{times(300, 100, 200), times(300, 400, 200)};
  std::array<std::optional<Candidate>, 2> choices;
  while (!choices[0]) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      // The second rank is late, which takes the first one's time but none of the call's.
      const CellProbes::Nanoseconds late = rank == 0 ? 0 : 5000;
      const Candidate candidate = *ranks[rank].begin(kSize);
      ranks[rank].note(late, 5000 + own[rank].at(candidate));
    }
    if (ranks[0].is_round_over()) {
      for (std::size_t i = 0; i < ranks[0].round().size(); ++i) {
        ranks[0].round()[i] = ranks[1].round()[i] = std::max(ranks[0].round()[i], ranks[1].round()[i]);
      }
      choices = {ranks[0].judge(), ranks[1].judge()};
    }
  }
  EXPECT_EQ(choices[0], Candidate::kSingleCopy);
  EXPECT_EQ(choices[1], Candidate::kSingleCopy);
}

TEST(CellProbes, DoNotTimeCallsOfOtherSizes) {
  CellProbes probes(kAll, 2);
  EXPECT_EQ(probes.begin(kSize), Candidate::kLibrary);
  probes.note(0, 300);
  EXPECT_EQ(probes.begin(kSize / 2 + 1), std::nullopt);
  EXPECT_EQ(probes.begin(kSize - kSize / 10), Candidate::kLibrary);
  probes.note(0, 300);
  EXPECT_EQ(run(probes, times(300, 200, 250)).calls.size(), 34U);
}

TEST(CellProbes, BeginAnewWithASizeThatIsUsedMore) {
  CellProbes probes(kAll, 2);
  static_cast<void>(probes.begin(kSize));
  probes.note(0, 1);
  const ProbedCalls other = run(probes, times(300, 200, 250), kSize / 2 + 1);
  EXPECT_EQ(other.choice, Candidate::kSlots);
  EXPECT_EQ(other.calls.size(), 16U + 36);
  EXPECT_EQ(other.calls[15], Candidate::kUnknown);
  EXPECT_EQ(other.calls[16], Candidate::kLibrary);
}

TEST(ProbedClass, EndsAtPowersOfTwo) {
  EXPECT_EQ(ProbedClass(0).number(), 0);
  EXPECT_EQ(ProbedClass(1).number(), 0);
  EXPECT_EQ(ProbedClass(4096).number(), 12);
  EXPECT_EQ(ProbedClass(4097).number(), 13);
  EXPECT_EQ(ProbedClass(8192).number(), 13);
  EXPECT_EQ(ProbedClass::first_of(13), 4097);
  EXPECT_EQ(ProbedClass(Bytes{4} << 20).number(), ProbedClass::kClasses - 2);
  EXPECT_EQ(ProbedClass(Bytes{1} << 40).number(), ProbedClass::kClasses - 1);
}

}  // namespace
}  // namespace postage::preload
