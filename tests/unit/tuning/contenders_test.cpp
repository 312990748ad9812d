#include "unit/tuning/decision.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace postage {
namespace {

/// The choices that are asked for at a size.
std::vector<std::string> contenders_at(const CommunicatorDecision& decision, Bytes bytes) {
  std::vector<std::string> algorithms;
  for (const auto& [point, choices] : decision.contenders()) {
    for (const DecisionChoice& choice : choices) {
      if (point.bytes == bytes) {
        algorithms.push_back(choice.algorithm);
      }
    }
  }
  return algorithms;
}

TEST_F(Decision, AnExhaustiveRequestLeavesOutNothing) {
  const std::vector<TimingRequest> usual = decision(Collective::kBcast).contenders();
  request_.exhaustive = true;
  const std::vector<TimingRequest> all = decision(Collective::kBcast).contenders();
  ASSERT_EQ(all.size(), usual.size());
  std::size_t more = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].choices, candidates_for(request_, Collective::kBcast, {4, 4}, all[i].point.bytes));
    more += all[i].choices.size() - usual[i].choices.size();
  }
  EXPECT_GT(more, all.size());
}

/// All contenders for the largest size take half as long again as was predicted, so that others, which were left out,
/// may be faster.
TEST_F(Decision, MoreContendWhereAllTakeLongerThanPredicted) {
  const CommunicatorDecision bcast = decision(Collective::kBcast);
  const TuningPoint largest{Collective::kBcast, 4, 65536};
  const auto further = [&] {
    for (const auto& [point, choices] : bcast.further_contenders()) {
      if (point.bytes == largest.bytes) {
        return choices;
      }
    }
    return std::vector<DecisionChoice>{};
  };
  answer(bcast.contenders(), 3);
  EXPECT_TRUE(further().empty());
  Seconds fastest = 1;
  for (const auto& [point, choices] : bcast.contenders()) {
    for (const DecisionChoice& choice : choices) {
      const double slower = point.bytes == largest.bytes ? 1.5 : 1;
      const Seconds seconds = slower * predictions_.of(point, choice).seconds;
      times_.set(point, key_of(choice), std::vector<double>(10, seconds));
      fastest = point.bytes == largest.bytes ? std::min(fastest, seconds) : fastest;
    }
  }
  const std::vector<DecisionChoice> found = further();
  ASSERT_FALSE(found.empty());
  Seconds slowest = 0;
  for (const DecisionChoice& choice : found) {
    slowest = std::max(slowest, predictions_.of(largest, choice).seconds);
  }
  EXPECT_GT(slowest, 1.05 * fastest);
  EXPECT_LE(slowest, 1.4 * fastest);
}

TEST_F(Decision, ViolatedGuidelinesNameSizesAndContenders) {
  const Bytes between = 40000;
  const auto all = candidates_for(request_, Collective::kBcast, {4, 4}, between);
  const auto slowest = std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    const TuningPoint point{Collective::kBcast, 4, between};
    return predictions_.of(point, a).seconds < predictions_.of(point, b).seconds;
  });
  EXPECT_TRUE(contenders_at(decision(Collective::kBcast), between).empty());
  request_.suspected = {{Collective::kBcast, 4, between, slowest->algorithm}};
  const std::vector<std::string> asked = contenders_at(decision(Collective::kBcast), between);
  EXPECT_EQ(std::count(asked.begin(), asked.end(), slowest->algorithm),
            std::count_if(all.begin(), all.end(), [&](const auto& c) { return c.algorithm == slowest->algorithm; }));
  request_.suspected.front().schedule.clear();
  EXPECT_EQ(contenders_at(decision(Collective::kBcast), between).size(), all.size());
  for (const SuspectedPoint& elsewhere :
       {SuspectedPoint{Collective::kReduce, 4, between}, SuspectedPoint{Collective::kBcast, 5, between},
        SuspectedPoint{Collective::kBcast, 4, 100000}}) {
    request_.suspected = {elsewhere};
    EXPECT_TRUE(contenders_at(decision(Collective::kBcast), elsewhere.bytes).empty());
  }
}

}  // namespace
}  // namespace postage
