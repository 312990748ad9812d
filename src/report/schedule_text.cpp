#include <postage/base/json.hpp>
#include <postage/report/schedule_text.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// Rounds that are printed one by one; a longer schedule is cut in its middle.
constexpr Index kShownRounds = 24;

}  // namespace

std::map<std::string, ChannelTraffic> traffic_by_channel(const Schedule& schedule, const ChannelNamer& channel_of) {
  std::map<std::string, ChannelTraffic> channels;
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) {
    ChannelTraffic& channel = channels[channel_of(t.source, t.target)];
    ++channel.messages;
    channel.bytes += t.bytes;
  });
  return channels;
}

std::string rounds_text(const Schedule& schedule, const ChannelNamer& channel_of) {
  const Index rounds = traffic_of(schedule).rounds;
  const auto is_shown = [&](Index round) {
    return rounds <= kShownRounds || round < kShownRounds / 2 || round >= rounds - kShownRounds / 2;
  };
  std::string text;
  Index number = 0;
  for_each_round(schedule, [&](const RoundPosition& position) {
    const Index round = number++;
    if (rounds > kShownRounds && round == kShownRounds / 2) {
      text += fmt::format("  ... {} more rounds\n", rounds - kShownRounds);
    }
    if (!is_shown(round)) {
      return;
    }
    std::string line;
    std::size_t count = 0;
    for_each_transfer(schedule, position, [&](const Transfer& t) {
      constexpr std::size_t shown = 8;
      const std::string channel = channel_of(t.source, t.target);
      if (count++ < shown) {
        line += fmt::format("  {}->{} {}{}", t.source, t.target, format_bytes(t.bytes),
                            channel.empty() ? "" : " " + channel);
      }
    });
    text += fmt::format("round {:>3}, {:>4} messages:{}{}\n", round, count, line, count > 8 ? "  ..." : "");
  });
  return text;
}

Json schedule_json(const Schedule& schedule, const ChannelNamer& channel_of) {
  Json rounds = Json::array();
  for_each_round(schedule, [&](const RoundPosition& position) {
    Json messages = Json::array();
    for_each_transfer(schedule, position, [&](const Transfer& t) {
      messages.push_back({{"source", t.source},
                          {"target", t.target},
                          {"bytes", t.bytes},
                          {"channel", channel_of(t.source, t.target)}});
    });
    rounds.push_back({{"segment", position.segment}, {"messages", std::move(messages)}});
  });
  const Traffic traffic = traffic_of(schedule);
  return {{"collective", name_of(schedule.collective)},
          {"algorithm", schedule.algorithm},
          {"P", schedule.ranks},
          {"messages", traffic.messages},
          {"bytes", traffic.bytes},
          {"rounds", std::move(rounds)}};
}

}  // namespace postage
