#include <postage/predict/explanation.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::string label_of(const Schedule& schedule, const RoundCost& cost, std::span<const std::string> channel_names) {
  const Stage& stage = schedule.stages[cost.position.stage];
  const Index number =
      cost.position.iteration * static_cast<Index>(stage.rounds.size()) + static_cast<Index>(cost.position.round);
  std::string label =
      cost.times == 1 ? fmt::format("round {}", number) : fmt::format("{} rounds like round {}", cost.times, number);
  label += fmt::format(": {} over {}", format_bytes(cost.slowest.bytes), channel_names[cost.slowest.channel]);
  if (cost.slowest.concurrency > 1) {
    label += fmt::format(", which {:g} share", cost.slowest.concurrency);
  }
  return label;
}

Explanation part_of(const Schedule& schedule, const RoundCost& cost, std::span<const std::string> channel_names) {
  const auto times = static_cast<double>(cost.times);
  const Seconds alone = std::min(cost.slowest.alone, cost.seconds);
  const Seconds shared = std::clamp(cost.slowest.seconds, alone, cost.seconds);
  Explanation part{label_of(schedule, cost, channel_names), times * cost.seconds};
  const auto add = [&](const char* label, Seconds seconds) {
    if (seconds > 0) {
      part.parts.push_back({label, times * seconds});
    }
  };
  add("one message alone", alone);
  add("sharing the channel", shared - alone);
  add("further messages of one rank", cost.seconds - shared);
  return part;
}

}  // namespace

Explanation explain_rounds(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                           std::span<const std::string> channel_names) {
  const RoundTimes times = sum_rounds(schedule, channels, model);
  Explanation whole{
      fmt::format("{} {}, P = {}, round by round", name_of(schedule.collective), schedule.algorithm, schedule.ranks),
      times.seconds};
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    Explanation stage{schedule.stages[s].name};
    for (const RoundCost& cost : times.rounds) {
      if (cost.position.stage == s) {
        stage.parts.push_back(part_of(schedule, cost, channel_names));
        stage.seconds += stage.parts.back().seconds;
      }
    }
    for (const PipelineCost& cost : times.pipelines) {
      if (cost.stage == s) {
        stage.parts.push_back(
            {fmt::format("{} further segments, {} each at the busiest rank", cost.times, format_seconds(cost.seconds)),
             static_cast<double>(cost.times) * cost.seconds});
        stage.seconds += stage.parts.back().seconds;
      }
    }
    if (!stage.parts.empty()) {
      whole.parts.push_back(std::move(stage));
    }
  }
  return whole;
}

}  // namespace postage
