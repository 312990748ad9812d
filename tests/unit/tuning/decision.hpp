#pragma once

#include "tuning/decide/communicator.hpp"

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace postage {

inline constexpr Span<Rank> kFour{4, 4};

/// Four ranks of a library whose default for a collective takes as long as the test says.
class Decision : public testing::Test {
 protected:
  Decision()
      : model_(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), {kAllChannels}, ChannelMap::single_channel()),
        predictions_(request_, model_),
        times_({}, "a job") {
    request_ = {.target = TuningTarget::kSmpi, .version = {3, 32, 0}, .sizes = {64, 1024, 65536}};
  }

  CommunicatorDecision decision(Collective collective) { return {request_, collective, kFour, predictions_, times_}; }

  /// Times every request: a choice takes what is predicted, the default `slower` times as long as the best of them.
  void answer(const std::vector<TimingRequest>& requests, double slower, bool again = false) {
    constexpr std::size_t kPairs = 10;
    for (const auto& [point, choices] : requests) {
      if (!times_.has(point, "")) {
        Seconds best = 1;
        for (const DecisionChoice& choice :
             candidates_for(request_, point.collective, {point.ranks, point.ranks}, point.bytes)) {
          best = std::min(best, predictions_.of(point, choice).seconds);
        }
        times_.set(point, "", std::vector<double>(kPairs, slower * best));
      }
      for (const DecisionChoice& choice : choices) {
        times_.set(point, again ? again_key(choice) : key_of(choice),
                   std::vector<double>(kPairs, predictions_.of(point, choice).seconds));
      }
    }
  }

  void measure(const CommunicatorDecision& decision, double slower) {
    answer(decision.contenders(), slower);
    answer(decision.further_contenders(), slower);
    for (int i = 0; i < 4; ++i) {
      answer(decision.unproven(), slower);
    }
  }

  TuneRequest request_;
  PlatformModel model_;
  ChoicePredictions predictions_;
  MeasuredTimes times_;
};

}  // namespace postage
