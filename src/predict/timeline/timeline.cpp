#include "predict/timeline/engine.hpp"

namespace postage {
Seconds Timeline::seconds() const {
  return finish.empty() ? 0 : *std::max_element(finish.begin(), finish.end());
}

Timeline play(const Schedule& schedule, const ChannelMap& channels, const Model& model) {
  NoTracer nobody;
  return TimelineEngine<NoTracer>(schedule, channels, model, nobody).run();
}

}  // namespace postage
