#pragma once

#include "tuning/decide/communicator.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace postage {

inline const std::vector<CommunicatorSpan> kFourRanks{{{1, 1}, {4, 4}}};
inline const std::string kFirst = "binomial_tree";
inline const std::string kSecond = "flattree";

/// Bcast among four ranks: what the test says each of two choices takes, mostly of the default's time; all others are
/// slow.
class Intervals : public testing::Test {
 protected:
  using Ratio = std::function<double(Bytes)>;
  static inline const Ratio kSlow = [](Bytes /*bytes*/) { return 3; };

  Intervals()
      : model_(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), {kAllChannels}, ChannelMap::single_channel()),
        predictions_(request_, model_),
        times_({}, "a job") {}

  std::vector<DecisionRule> rules(const Ratio& first, const Ratio& second) {
    return rules_of(
        {.target = TuningTarget::kSmpi, .version = {3, 32, 0}, .sizes = {64, 1024, 16384}, .exhaustive = true}, first,
        second);
  }

  /// Of the first choice alone: the second is slow, too.
  std::vector<DecisionRule> rules(const Ratio& first) { return rules(first, kSlow); }

  std::vector<DecisionRule> rules_of(const TuneRequest& request, const Ratio& first, const Ratio& second) {
    times_ = MeasuredTimes({}, "a job");
    CommunicatorDecision decision(request, Collective::kBcast, {4, 4}, predictions_, times_);
    const auto answer = [&](const std::vector<TimingRequest>& requests) {
      for (const auto& [point, choices] : requests) {
        times_.set(point, "", std::vector<double>(3, standard_(point.bytes)));
        for (const DecisionChoice& choice : choices) {
          const std::string key = key_of(choice);
          const double ratio = key == first_name_ ? first(point.bytes) : key == kSecond ? second(point.bytes) : 3;
          const std::vector<double> standard(3, standard_(point.bytes));
          times_.set(point, key, {ratio, ratio, ratio}, standard);
          times_.set(point, again_key(choice), {ratio, ratio, ratio}, standard);
        }
      }
    };
    answer(decision.contenders());
    for (int i = 0; i < 9; ++i) {
      answer(decision.refine());
    }
    return decision.decide({{4, 4}, {}}, kFourRanks).rules;
  }

  void expect_no_loss(const std::vector<DecisionRule>& rules, const Ratio& first, const Ratio& second) const {
    for (const DecisionRule& rule : rules) {
      for (Bytes bytes = std::max<Bytes>(rule.bytes.first, 1); bytes <= rule.bytes.last; ++bytes) {
        const double seconds = rule.choice.library_name == kFirst ? first(bytes) : second(bytes);
        ASSERT_LE(seconds / standard_(bytes), 1.02) << rule.choice.library_name << " at " << bytes;
      }
    }
  }

  TuneRequest request_{.target = TuningTarget::kSmpi, .version = {3, 32, 0}};
  PlatformModel model_;
  ChoicePredictions predictions_;
  MeasuredTimes times_;
  std::string first_name_ = kFirst;
  Ratio standard_ = [](Bytes /*bytes*/) { return 1; };
};

inline double always(double ratio, Bytes /*bytes*/) {
  return ratio;
}

}  // namespace postage
