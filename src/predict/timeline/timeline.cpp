#include "predict/node_ranks.hpp"
#include "predict/timeline/critical_path.hpp"
#include "predict/timeline/event_timeline.hpp"
#include "predict/timeline/in_order.hpp"
#include "predict/timeline/representatives.hpp"

#include <postage/predict/timeline/timeline.hpp>

namespace postage {
namespace {

/// The segments that tell what a further one adds: those of a pipeline that alternates take turns.
constexpr Index kTellingSegments = 2;

std::vector<Seconds> finish_times(const Schedule& schedule, const FollowedSegments& followed,
                                  const ChannelMap& channels, const Model& model) {
  check_capacity(channels, schedule.ranks);
  const bool gets = model.properties().gets_data;
  if (!gets) {
    if (auto finish = play_in_order(schedule, followed, channels, model)) {
      return std::move(*finish);
    }
  }
  TransferCosts costs(channels, model);
  NoTracer nobody;
  const MessageList list = list_messages(schedule, followed, costs);
  return EventTimeline<NoTracer>(list, costs.fan_limits(), gets, nobody).run();
}

}  // namespace

Seconds Timeline::seconds() const {
  return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

Timeline play(const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  return {finish_times(schedule, all_segments(schedule), channels, model)};
}

Seconds play_abridged(const Schedule& schedule, const ChannelMap& channels, const Model& model, Index followed) {
  FollowedSegments segments = followed_segments(schedule, followed);
  const auto played = [&] { return Timeline{finish_times(schedule, segments, channels, model)}.seconds(); };
  const Seconds first_ones = played();
  Seconds all = first_ones;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    const Index more = pipelined_segments(schedule.stages[s]) - 1 - segments[s];
    if (more > 0) {
      const Index telling = std::min(kTellingSegments, segments[s]);
      segments[s] -= telling;
      all += static_cast<double>(more) * std::max(first_ones - played(), 0.0) / static_cast<double>(telling);
      segments[s] += telling;
    }
  }
  return all;
}

std::optional<Seconds> play_representatives(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                            Index most_work) {
  const auto ranks = RepresentativeRanks::of(schedule, channels);
  return ranks ? ranks->seconds(model, most_work) : std::nullopt;
}

}  // namespace postage
