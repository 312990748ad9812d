#include "predict/timeline/engine.hpp"
#include "predict/timeline/representatives.hpp"

namespace postage {

Seconds Timeline::seconds() const {
  return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

Timeline play(const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  NoTracer nobody;
  return TimelineEngine<NoTracer>(schedule, channels, model, nobody).run();
}

Seconds play_abridged(const Schedule& schedule, const ChannelMap& channels, const Model& model, Index followed) {
  NoTracer nobody;
  return TimelineEngine<NoTracer>(schedule, channels, model, nobody).run(followed).seconds();
}

std::optional<Seconds> play_representatives(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                            Index most_work) {
  const auto ranks = RepresentativeRanks::of(schedule, channels);
  return ranks ? ranks->seconds(model, most_work) : std::nullopt;
}

}  // namespace postage
