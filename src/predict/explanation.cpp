#include "predict/node_ranks.hpp"
#include "predict/timeline/critical_path.hpp"

#include <postage/base/json.hpp>
#include <postage/predict/explanation.hpp>

#include <algorithm>

namespace postage {
namespace {

constexpr Index kMostMessages = 20'000'000;

/// The part with this label if it is the last one, else a new one.
Explanation& last_part(Explanation& whole, const std::string& label) {
  if (whole.parts.empty() || whole.parts.back().label != label) {
    whole.parts.push_back({label});
  }
  return whole.parts.back();
}

std::string round_label(const Schedule& schedule, const RoundPosition& position) {
  const Stage& stage = schedule.stages[position.stage];
  std::string label = stage.name;
  if (stage.segments > 1) {
    label += fmt::format(", segment {}", position.segment);
  }
  const auto rounds = static_cast<Index>(stage.rounds.size());
  return fmt::format("{}, round {}", label, position.iteration * rounds + static_cast<Index>(position.round));
}

std::string message_label(const ListedMessage& message, std::span<const std::string> channel_names) {
  return fmt::format("rank {} -> {}, {} over {}", message.source, message.target, format_bytes(message.bytes),
                     channel_names[message.channel]);
}

void render_part(const Explanation& part, Seconds whole, std::size_t depth, std::size_t most_parts, std::string& out) {
  out += fmt::format("{:>10}  {:5.1f} %  {}{}\n", format_seconds(part.seconds),
                     whole > 0 ? 100 * part.seconds / whole : 0.0, std::string(2 * depth, ' '), part.label);
  const std::size_t count = part.parts.size();
  const std::size_t head = count > most_parts ? most_parts / 2 : count;
  const std::size_t tail_from = count > most_parts ? count - most_parts / 2 : count;
  for (std::size_t i = 0; i < head; ++i) {
    render_part(part.parts[i], whole, depth + 1, most_parts, out);
  }
  if (head < tail_from) {
    Seconds left_out = 0;
    for (std::size_t i = head; i < tail_from; ++i) {
      left_out += part.parts[i].seconds;
    }
    render_part({fmt::format("... {} more", tail_from - head), left_out}, whole, depth + 1, most_parts, out);
  }
  for (std::size_t i = tail_from; i < count; ++i) {
    render_part(part.parts[i], whole, depth + 1, most_parts, out);
  }
}

}  // namespace

Explanation explain(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                    std::span<const std::string> channel_names) {
  const Traffic traffic = traffic_of(schedule);
  if (traffic.messages > kMostMessages) {
    throw Error(fmt::format("this schedule has {} messages; explaining remembers each of them and stops at {}",
                            traffic.messages, kMostMessages));
  }
  check_capacity(channels, schedule.ranks);
  TransferCosts costs(channels, model);
  const MessageList list = list_messages(schedule, all_segments(schedule), costs);
  CriticalPathTracer tracer(list);
  const Timeline timeline{
      EventTimeline<CriticalPathTracer>(list, costs.fan_limits(), model.properties().gets_data, tracer).run()};
  const auto last = std::max_element(timeline.finish.begin(), timeline.finish.end()) - timeline.finish.begin();
  Explanation whole{fmt::format("{} {}, P = {}, critical path to rank {}", name_of(schedule.collective),
                                schedule.algorithm, schedule.ranks, last),
                    timeline.seconds()};
  for (const PathPiece& piece : tracer.path_to(static_cast<Rank>(last))) {
    const ListedMessage& message = list.messages()[piece.message];
    const RoundPosition& position = list.round_of(list.steps()[message.target_step]);
    Explanation& round = last_part(whole, round_label(schedule, position));
    round.seconds += piece.seconds;
    Explanation& part = last_part(round, message_label(message, channel_names));
    part.seconds += piece.seconds;
    part.parts.push_back({piece.what, piece.seconds});
  }
  return whole;
}

std::string render(const Explanation& explanation, std::size_t most_parts) {
  std::string out;
  render_part(explanation, explanation.seconds, 0, most_parts, out);
  return out;
}

Json to_json(const Explanation& explanation) {
  Json parts = Json::array();
  for (const Explanation& part : explanation.parts) {
    parts.push_back(to_json(part));
  }
  return {{"label", explanation.label}, {"seconds", explanation.seconds}, {"parts", std::move(parts)}};
}

}  // namespace postage
