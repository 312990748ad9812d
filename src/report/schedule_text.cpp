#include <postage/base/json.hpp>
#include <postage/report/schedule_text.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// Rounds that are printed one by one; a longer schedule is cut in its middle.
constexpr Index kShownRounds = 24;

std::string message_text(const Transfer& t, const std::string& channel, const Strides& strides) {
  std::string text = fmt::format("  {}->{} {}", t.source, t.target, format_bytes(t.bytes));
  if (strides.separates(t.bytes)) {
    text += fmt::format(" in {} pieces", t.bytes / strides.run);
  }
  return text + (channel.empty() ? "" : " " + channel);
}

Json message_json(const Transfer& t, const std::string& channel, const Strides& strides) {
  Json message{{"source", t.source}, {"target", t.target}, {"bytes", t.bytes}, {"channel", channel}};
  if (!strides.is_contiguous()) {
    message["pieces"] = t.bytes / strides.run;
    message["extent"] = strides.extent(t.bytes);
  }
  return message;
}

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

std::string rounds_text(const Schedule& schedule, const ChannelNamer& channel_of, const Strides& strides) {
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
      if (count++ < shown) {
        line += message_text(t, channel_of(t.source, t.target), strides);
      }
    });
    text += fmt::format("round {:>3}, {:>4} messages:{}{}\n", round, count, line, count > 8 ? "  ..." : "");
  });
  return text;
}

Json schedule_json(const Schedule& schedule, const ChannelNamer& channel_of, const Strides& strides) {
  Json rounds = Json::array();
  for_each_round(schedule, [&](const RoundPosition& position) {
    Json messages = Json::array();
    for_each_transfer(schedule, position, [&](const Transfer& t) {
      messages.push_back(message_json(t, channel_of(t.source, t.target), strides));
    });
    rounds.push_back({{"segment", position.segment}, {"messages", std::move(messages)}});
  });
  const Traffic traffic = traffic_of(schedule);
  Json whole{{"collective", name_of(schedule.collective)},
             {"algorithm", schedule.algorithm},
             {"P", schedule.ranks},
             {"messages", traffic.messages},
             {"bytes", traffic.bytes},
             {"rounds", std::move(rounds)}};
  if (!strides.is_contiguous()) {
    whole["run"] = strides.run;
    whole["stride"] = strides.stride;
  }
  return whole;
}

}  // namespace postage
