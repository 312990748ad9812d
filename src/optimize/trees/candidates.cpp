#include "optimize/trees/edge_costs.hpp"
#include "optimize/trees/predicted_search.hpp"

#include <postage/optimize/trees.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace postage {
namespace {

/// Segments that are tried, and the messages up to which each of them is predicted.
constexpr Bytes kUsualSegments[] = {4 << 10, 16 << 10, 64 << 10, 256 << 10};
constexpr Index kMostMessages = 400'000;
constexpr Rank kMostCutInAllForms = 256;

/// The limits between which gathers escalate at the far ends of their intervals: what may be medium is taken to be.
PlatformModel cautious_about_escalations(const PlatformModel& platform) {
  ParameterTable table = platform.table();
  for (ParameterGroup& group : table.groups) {
    const auto small = group.values.find("M_1");
    const auto large = group.values.find("M_2");
    if (small == group.values.end() || large == group.values.end() || small->second.value >= large->second.value) {
      continue;  // nothing escalates
    }
    small->second = Estimate::exactly(small->second.lower);
    if (large->second.value < large->second.upper && std::isfinite(large->second.upper)) {
      large->second = Estimate::exactly(large->second.upper - 1);
    }
  }
  return platform.with_table(std::move(table));
}

/// A platform, and the same with more sizes at which gathers escalate.
struct Platforms {
  explicit Platforms(const PlatformModel& platform)
      : measured(platform),
        cautious(platform.model().fan_limits() == nullptr ? platform : cautious_about_escalations(platform)) {}
  const PlatformModel& measured;
  PlatformModel cautious;
};

TreeCandidate predicted(TreeMethod method, CollectiveTree tree, const PlatformModel& platform) {
  const Prediction prediction = predict(schedule_along(tree), platform);
  return {method, std::move(tree), prediction};
}

/// A candidate, and what it is compared by.
struct RatedTree {
  TreeCandidate candidate;
  bool may_escalate = false;
  Seconds seconds = 0;
};

RatedTree rated(TreeCandidate candidate, Seconds seconds, const Platforms& platforms) {
  const bool may_escalate = candidate.prediction.may_escalate() ||
                            (platforms.cautious.model().fan_limits() != nullptr &&
                             predict(schedule_along(candidate.tree), platforms.cautious).may_escalate());
  return {std::move(candidate), may_escalate, seconds};
}

/// A tree that may escalate is no better than one that cannot.
bool is_better(const RatedTree& a, const RatedTree& b) {
  return a.may_escalate != b.may_escalate ? !a.may_escalate : a.seconds < b.seconds;
}

Bytes largest_block(const CollectiveTree& tree) {
  const std::vector<Bytes>& blocks = tree.request.block_bytes;
  return blocks.empty() ? tree.request.bytes : *std::ranges::max_element(blocks);
}

Bytes largest_message(const Schedule& schedule) {
  Bytes largest = 0;
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) { largest = std::max(largest, t.bytes); });
  return largest;
}

/// Sizes of segments of the largest block: with which no message of the tree reaches a limit of the model's fans; for
/// models without, the usual ones.
std::set<Bytes> segments_to_try(const TreeCandidate& whole, const PlatformModel& platform) {
  const Bytes block = largest_block(whole.tree);
  std::set<Bytes> segments;
  if (const FanLimits* limits = platform.model().fan_limits()) {
    const Bytes largest = largest_message(schedule_along(whole.tree));
    for (const Bytes limit : {limits->gather_small, limits->scatter_step}) {
      if (limit > 1 && largest >= limit) {
        const Bytes pieces = largest / (limit - 1) + 1;
        segments.insert((block + pieces - 1) / pieces);
      }
    }
  }
  if (platform.model().fan_limits() == nullptr) {
    segments.insert(std::begin(kUsualSegments), std::end(kUsualSegments));
  }
  std::erase_if(segments, [&](Bytes segment) {
    return segment < 1 || segment >= block || block / segment * whole.tree.request.ranks > kMostMessages;
  });
  return segments;
}

/// Where none of a cut tree's messages is limited, children have a round each; else they go together.
void set_rounds(CollectiveTree& tree, const PlatformModel& platform) {
  const TreeDirections directions = tree_directions(tree.collective);
  if (directions.up == directions.down || platform.model().fan_limits() == nullptr) {
    return;
  }
  ExplicitTree& one = directions.up ? tree.up : tree.down;
  const bool is_limited =
      EdgeCosts(platform, tree.collective, tree.request).is_limited(largest_message(schedule_along(tree)));
  one.one_by_one = is_limited ? std::vector<Rank>{} : one.order;
}

/// The tree cut into segments. LMO knows nothing of two segments that share a link: there it is taken to last no less
/// than the whole messages do, each of which costs what it costs alone.
RatedTree cut_into(Bytes segment, const TreeCandidate& whole, const Platforms& platforms) {
  const PlatformModel& platform = platforms.measured;
  CollectiveTree tree = whole.tree;
  tree.request.segment_bytes = segment;
  set_rounds(tree, platforms.cautious);
  CollectiveTree uncut = tree;
  uncut.request.segment_bytes = 0;
  const Seconds least = platform.model().fan_limits() == nullptr ? 0 : predict(schedule_along(uncut), platform).seconds;
  TreeCandidate cut = predicted(whole.method, std::move(tree), platform);
  const Seconds seconds = std::max(cut.prediction.seconds, least);
  return rated(std::move(cut), seconds, platforms);
}

/// Of all candidates, whole or in segments: a form that is none of the best whole may be in segments, and what predicts
/// is not what the search adds up.
TreeCandidate best_of(const std::vector<TreeCandidate>& candidates, const Platforms& platforms) {
  RatedTree best = rated(candidates.front(), candidates.front().prediction.seconds, platforms);
  const auto take_better = [&](RatedTree one) {
    if (is_better(one, best)) {
      best = std::move(one);
    }
  };
  for (const TreeCandidate& one : candidates) {
    take_better(rated(one, one.prediction.seconds, platforms));
  }
  const TreeMethod best_whole = best.candidate.method;
  for (const TreeCandidate& one : candidates) {
    const bool is_other_form = one.method == TreeMethod::kFlat || one.method == TreeMethod::kFormForEqualRanks ||
                               one.method == TreeMethod::kOptimised;
    if (one.method == best_whole || (is_other_form && one.tree.request.ranks <= kMostCutInAllForms)) {
      for (const Bytes segment : segments_to_try(one, platforms.cautious)) {
        take_better(cut_into(segment, one, platforms));
      }
    }
  }
  best.candidate.method = TreeMethod::kOptimised;
  return std::move(best.candidate);
}

}  // namespace

std::vector<TreeCandidate> tree_candidates(const std::vector<TreeMethod>& methods, Collective collective,
                                           const ScheduleRequest& request, const PlatformModel& platform) {
  const Platforms platforms(platform);
  std::vector<TreeCandidate> candidates;
  for (const TreeMethod method : methods) {
    candidates.push_back(predicted(method, build_tree(method, collective, request, platforms.cautious), platform));
  }
  const auto optimised = std::ranges::find(candidates, TreeMethod::kOptimised, &TreeCandidate::method);
  if (optimised != candidates.end()) {
    if (!are_independent(platform, collective, request)) {
      const auto best =
          std::ranges::min_element(candidates, {}, [](const auto& one) { return one.prediction.seconds; });
      *optimised = predicted(TreeMethod::kOptimised, improve_by_prediction(best->tree, platform), platform);
    }
    *optimised = best_of(candidates, platforms);
  }
  return candidates;
}

}  // namespace postage
