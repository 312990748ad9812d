#include "predict/timeline/representatives.hpp"

#include <algorithm>

namespace postage {
namespace {

/// Forms of sub-trees above which telling them takes longer than other evaluators.
constexpr std::size_t kMostForms = 4096;

bool has_waiting_sources(const Schedule& schedule) {
  const std::vector<Round>& rounds = schedule.stages.front().rounds;
  return std::any_of(rounds.begin(), rounds.end(), [](const Round& round) {
    return std::any_of(round.patterns.begin(), round.patterns.end(),
                       [](const Pattern& pattern) { return pattern.protocol == Protocol::kAcknowledged; });
  });
}

}  // namespace

std::optional<RepresentativeRanks> RepresentativeRanks::of(const Schedule& schedule, const ChannelMap& channels) {
  if (auto kinds = RankKinds::of(schedule, channels)) {
    return RepresentativeRanks(schedule, channels, *kinds);
  }
  if (auto shape = TreeShape::of(schedule, channels, kMostForms)) {
    return RepresentativeRanks(schedule, channels, std::move(*shape));
  }
  return std::nullopt;
}

std::optional<Seconds> RepresentativeRanks::seconds(const Model& model, Index most_work) const {
  if (depends_on_ranks(model) || model.properties().gets_data) {
    return std::nullopt;
  }
  if (const auto* kinds = std::get_if<RankKinds>(&ranks_)) {
    return symmetric_seconds(*schedule_, *kinds, *channels_, model, most_work);
  }
  const auto& shape = std::get<TreeShape>(ranks_);
  if (schedule_->stages.front().segments > 1 && has_waiting_sources(*schedule_)) {
    return std::nullopt;  // of what a source waits for, one form of sub-trees does not tell another's
  }
  const Index work = static_cast<Index>(shape.nodes().size()) * schedule_->stages.front().segments;
  return work <= most_work ? tree_seconds(*schedule_, shape, *channels_, model) : std::nullopt;
}

}  // namespace postage
