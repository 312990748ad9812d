#include "optimize/trees/edge_costs.hpp"

#include <postage/optimize/trees.hpp>

#include <algorithm>
#include <set>

namespace postage {
namespace {

/// Segments that are tried, and the messages up to which each of them is predicted.
constexpr Bytes kUsualSegments[] = {4 << 10, 16 << 10, 64 << 10, 256 << 10};
constexpr Index kMostMessages = 400'000;
constexpr Rank kMostCutInAllForms = 256;

TreeCandidate predicted(TreeMethod method, CollectiveTree tree, const PlatformModel& platform) {
  const Prediction prediction = predict(schedule_along(tree), platform);
  return {method, std::move(tree), prediction};
}

/// A candidate, and what it is compared by.
struct RatedTree {
  TreeCandidate candidate;
  Seconds seconds = 0;
};

/// A tree that may escalate is no better than one that cannot.
bool is_better(const RatedTree& a, const RatedTree& b) {
  const bool a_may = a.candidate.prediction.may_escalate();
  return a_may != b.candidate.prediction.may_escalate() ? !a_may : a.seconds < b.seconds;
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
RatedTree cut_into(Bytes segment, const TreeCandidate& whole, const PlatformModel& platform) {
  CollectiveTree tree = whole.tree;
  tree.request.segment_bytes = segment;
  set_rounds(tree, platform);
  CollectiveTree uncut = tree;
  uncut.request.segment_bytes = 0;
  const Seconds least = platform.model().fan_limits() == nullptr ? 0 : predict(schedule_along(uncut), platform).seconds;
  TreeCandidate cut = predicted(whole.method, std::move(tree), platform);
  const Seconds seconds = std::max(cut.prediction.seconds, least);
  return {std::move(cut), seconds};
}

/// Of all candidates, whole or in segments: a form that is none of the best whole may be in segments, and what predicts
/// is not what the search adds up.
TreeCandidate best_of(const std::vector<TreeCandidate>& candidates, const PlatformModel& platform) {
  RatedTree best{candidates.front(), candidates.front().prediction.seconds};
  const auto take_better = [&](RatedTree one) {
    if (is_better(one, best)) {
      best = std::move(one);
    }
  };
  for (const TreeCandidate& one : candidates) {
    take_better({one, one.prediction.seconds});
  }
  const TreeMethod best_whole = best.candidate.method;
  for (const TreeCandidate& one : candidates) {
    const bool is_other_form = one.method == TreeMethod::kFlat || one.method == TreeMethod::kFormForEqualRanks ||
                               one.method == TreeMethod::kOptimised;
    if (one.method == best_whole || (is_other_form && one.tree.request.ranks <= kMostCutInAllForms)) {
      for (const Bytes segment : segments_to_try(one, platform)) {
        take_better(cut_into(segment, one, platform));
      }
    }
  }
  best.candidate.method = TreeMethod::kOptimised;
  return std::move(best.candidate);
}

}  // namespace

std::vector<TreeCandidate> tree_candidates(const std::vector<TreeMethod>& methods, Collective collective,
                                           const ScheduleRequest& request, const PlatformModel& platform) {
  std::vector<TreeCandidate> candidates;
  for (const TreeMethod method : methods) {
    candidates.push_back(predicted(method, build_tree(method, collective, request, platform), platform));
  }
  const auto optimised = std::ranges::find(candidates, TreeMethod::kOptimised, &TreeCandidate::method);
  if (optimised != candidates.end()) {
    *optimised = best_of(candidates, platform);
  }
  return candidates;
}

}  // namespace postage
