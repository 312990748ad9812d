#include "measure/campaign/stages.hpp"

#include "measure/campaign/stage_groups.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace postage {
namespace {

void add_once(std::vector<Experiment>& shapes, const Experiment& shape) {
  if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    shapes.push_back(shape);
  }
}

template <typename Planned>
void sort_by_order(std::vector<Planned>& planned) {
  std::stable_sort(planned.begin(), planned.end(), [](const Planned& a, const Planned& b) {
    return std::tie(a.order, a.index) < std::tie(b.order, b.index);
  });
}

std::vector<Experiment> shapes_of(const PlannedExperiments& planned) {
  std::vector<Experiment> shapes;
  for (const PlannedShape& one : planned.shapes) {
    add_once(shapes, one.shape);
  }
  return shapes;
}

std::vector<Curve> curves_of(const PlannedExperiments& planned) {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < planned.curves.size(); ++i) {
    const PlannedCurve& one = planned.curves[i];
    if (i == 0 || planned.curves[i - 1].order != one.order) {
      curves.push_back({{}, one.sizes, one.rule});
    }
    curves.back().shapes.push_back(one.shape);
  }
  return curves;
}

void check_ranks(const ExperimentDescriptor& experiment, Rank ranks) {
  if (ranks < experiment.least_ranks) {
    throw UsageError(fmt::format("experiments like {} need {} ranks; start at least so many, as in mpirun -n {}",
                                 experiment.name, experiment.least_ranks, experiment.least_ranks));
  }
}

/// What all kinds ask for, by stage.
std::map<int, PlannedExperiments> planned_by_stage(const CampaignPlan& plan, Rank ranks) {
  std::map<int, PlannedExperiments> stages;
  for (const ExperimentDescriptor* experiment : known_experiments()) {
    if (plan.as_far_as_possible && ranks < experiment->least_ranks) {
      continue;
    }
    const PlannedExperiments planned = experiment->plan(plan);
    if (!planned.shapes.empty() || !planned.curves.empty()) {
      check_ranks(*experiment, ranks);
    }
    for (const PlannedShape& one : planned.shapes) {
      stages[find_experiment(one.shape.kind).stage].shapes.push_back(one);
    }
    for (const PlannedCurve& one : planned.curves) {
      stages[find_experiment(one.shape.kind).stage].curves.push_back(one);
    }
  }
  for (auto& [stage, planned] : stages) {
    sort_by_order(planned.shapes);
    sort_by_order(planned.curves);
  }
  return stages;
}

/// Makes the stages of kinds with the same participants.
class StageMaker {
 public:
  StageMaker(const StageRanks& ranks, const MeasureSettings& settings, const std::string& method,
             std::vector<CampaignStage>& stages)
      : placements_(ranks.placements), chosen_(ranks), settings_(settings), method_(method), stages_(stages) {}

  void add(const PlannedExperiments& planned) {
    const Experiment& first = planned.shapes.empty() ? planned.curves.front().shape : planned.shapes.front().shape;
    switch (find_experiment(first.kind).participants) {
      case Participants::kOneRank:
        return add_stage({one_of_each_host(chosen_)}, planned);
      case Participants::kPair:
        return add_stage(pairs_of(chosen_), planned);
      case Participants::kTriple:
        return add_triplets(planned);
      case Participants::kMembers:
        return add_stages_by_channel(planned);
      case Participants::kAllRanks:
        return add_stage_of_all(planned);
    }
  }

 private:
  void add_stage(const std::vector<ConcurrentSet>& sets, const PlannedExperiments& planned,
                 bool starts_together = false) {
    stages_.push_back(
        {settings_.serial ? one_by_one(sets) : sets, shapes_of(planned), curves_of(planned), starts_together});
  }

  /// Triplets, after the roundtrips between their ranks that were not measured yet.
  void add_triplets(const PlannedExperiments& planned) {
    const std::vector<ConcurrentSet> triplets = triplets_of(chosen_, settings_.triplets);
    if (chosen_.representatives) {
      PlannedExperiments replies;
      for (const PlannedShape& one : planned.shapes) {
        replies.shapes.push_back({one.order, one.index, empty_reply(one.shape.bytes)});
      }
      add_stage(further_pairs(chosen_, triplets), replies);
    }
    add_stage(triplets, planned);
  }

  /// For each channel a stage for each list of groups of each kind.
  void add_stages_by_channel(const PlannedExperiments& planned) {
    for (const ChannelRanks& channel : measured_channels(chosen_)) {
      for (const PlannedExperiments& of_kind : by_kind(planned)) {
        add_stages_over(channel, of_kind);
      }
    }
  }

  void add_stages_over(const ChannelRanks& channel, PlannedExperiments planned) {
    for (PlannedShape& one : planned.shapes) {
      one.shape.channel = channel.channel;
      one.shape.method = method_;
    }
    for (const GroupList& groups : find_experiment(planned.shapes.front().shape.kind).groups(channel)) {
      if (!groups.empty()) {
        add_stage(pack_into_sets(groups, placements_.host_of()), planned, true);
      }
    }
  }

  /// In the order in which kinds come first.
  static std::vector<PlannedExperiments> by_kind(const PlannedExperiments& planned) {
    std::vector<PlannedExperiments> kinds;
    for (const PlannedShape& one : planned.shapes) {
      const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const PlannedExperiments& known) {
        return known.shapes.front().shape.kind == one.shape.kind;
      });
      (same == kinds.end() ? kinds.emplace_back() : *same).shapes.push_back(one);
    }
    return kinds;
  }

  void add_stage_of_all(PlannedExperiments planned) {
    const auto complete = [&](Experiment& shape) {
      if (shape.ranks > placements_.count()) {
        throw UsageError(fmt::format(
            "{} ranks are asked for, but only {} were started: start more, or leave out ranks=", shape.ranks,
            placements_.count()));
      }
      shape.ranks = shape.ranks > 0 ? shape.ranks : placements_.count();
      shape.method = method_;
    };
    for (PlannedShape& one : planned.shapes) {
      complete(one.shape);
    }
    for (PlannedCurve& one : planned.curves) {
      complete(one.shape);
    }
    RankGroup all(placements_.ranks.size());
    std::iota(all.begin(), all.end(), 0);
    add_stage({{all}}, planned, true);
  }

  const RankPlacements& placements_;
  const StageRanks& chosen_;
  const MeasureSettings& settings_;
  const std::string& method_;
  std::vector<CampaignStage>& stages_;
};

}  // namespace

std::vector<Experiment> CampaignStage::all_shapes() const {
  std::vector<Experiment> all = shapes;
  for (const Curve& curve : curves) {
    all.insert(all.end(), curve.shapes.begin(), curve.shapes.end());
  }
  return all;
}

std::size_t CampaignStage::experiments() const {
  std::size_t count = shapes.size();
  for (const Curve& curve : curves) {
    count += curve.shapes.size() * curve.sizes.size();
  }
  return count;
}

std::vector<CampaignStage> stages_of(const CampaignPlan& plan, const StageRanks& ranks, const MeasureSettings& settings,
                                     const std::string& method) {
  std::vector<CampaignStage> stages;
  StageMaker maker(ranks, settings, method, stages);
  for (const auto& [stage, planned] : planned_by_stage(plan, ranks.placements.count())) {
    maker.add(planned);
  }
  return stages;
}

bool asks_for_pairs(const CampaignPlan& plan) {
  const std::vector<const ExperimentDescriptor*> all = known_experiments();
  return std::any_of(all.begin(), all.end(), [&](const ExperimentDescriptor* experiment) {
    if (experiment->participants != Participants::kPair && experiment->participants != Participants::kTriple) {
      return false;
    }
    const PlannedExperiments planned = experiment->plan(plan);
    return !planned.shapes.empty() || !planned.curves.empty();
  });
}

std::string kinds_of(const CampaignStage& stage) {
  std::string kinds;
  std::set<std::string_view> seen;
  for (const Experiment& shape : stage.all_shapes()) {
    if (seen.insert(name_of(shape.kind)).second) {
      kinds += (kinds.empty() ? "" : ", ") + std::string(name_of(shape.kind));
    }
  }
  return kinds;
}

CampaignStage control_stage(const CampaignPlan& plan, const RankPlacements& placements) {
  CampaignStage stage;
  const std::vector<ConcurrentSet> sets = pairs_to_measure(placements.host_of());
  if (!sets.empty()) {
    stage.sets = {{sets.front().front()}};
    for (const Bytes bytes : plan.control_sizes) {
      add_once(stage.shapes, {.kind = ExperimentKind::kRoundtrip, .bytes = bytes, .reply_bytes = bytes});
    }
  }
  return stage;
}

}  // namespace postage
