#include "measure/campaign/stages.hpp"
#include "measure/programs/arguments.hpp"

#include <postage/measure/plan_cost.hpp>
#include <postage/measure/representatives.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace postage {
namespace {

/// A simulation's two repetitions are enough where they agree.
constexpr int kSimulatedRepetitions = 2;
/// Of each probe's two sizes.
constexpr double kProbeRepetitions = 7;
constexpr double kProbedBytes = 65537;

RankPlacements placements_of(const PlannedJob& job) {
  RankPlacements placements;
  for (Rank host = 0; host < job.hosts; ++host) {
    Node& node = placements.nodes.emplace_back();
    node.name = std::to_string(host);
    for (Rank core = 0; core < job.per_host; ++core) {
      node.topology.cores.push_back({.pu = core});
      placements.ranks.push_back({host, core});
    }
  }
  return placements;
}

/// One class for each channel, whose pairs are those that would be probed.
PairStructure uniform_structure(const RankPlacements& placements, const std::vector<RankPair>& probed) {
  PairStructure structure{.group_of = std::vector<int>(placements.ranks.size(), 0)};
  for (const RankPair& pair : probed) {
    const std::string channel = placements.channel(pair.first, pair.second);
    const auto known = std::find_if(structure.classes.begin(), structure.classes.end(),
                                    [&](const AlikePairs& alike) { return alike.channel == channel; });
    AlikePairs& alike = known != structure.classes.end() ? *known : structure.classes.emplace_back();
    alike.channel = channel;
    alike.probed.push_back(pair);
    ++alike.pairs;
    structure.class_of_groups[{channel, 0, 0}] = static_cast<std::size_t>(&alike - structure.classes.data());
  }
  return structure;
}

/// Each rank with the next two, and all ranks.
Representatives of_all_different(Rank count) {
  Representatives all;
  std::set<RankPair> pairs;
  for (Rank rank = 0; rank < count; ++rank) {
    for (Rank distance = 1; distance <= 2 && distance < count; ++distance) {
      pairs.insert(std::minmax(rank, (rank + distance) % count));
    }
    all.ranks.push_back(rank);
  }
  all.pairs.assign(pairs.begin(), pairs.end());
  return all;
}

Representatives representatives_of(const PlannedJob& job, const RankPlacements& placements,
                                   const std::vector<RankPair>& probed) {
  return job.likeness == RankLikeness::kAllDifferent
             ? of_all_different(placements.count())
             : representatives_of(uniform_structure(placements, probed), placements.host_of());
}

/// Of one repetition in a group of so many ranks: its messages one after another.
Seconds time_of(const Experiment& shape, std::size_t members, const PlannedJob& job) {
  const double messages = members > 3 ? static_cast<double>(members) : std::max(shape.messages, 1);
  const double bytes = messages * static_cast<double>(shape.bytes) + static_cast<double>(shape.reply_bytes);
  return 2 * job.latency + messages * std::max(shape.delay, 0.0) + bytes * job.per_byte;
}

StageCost cost_of(const CampaignStage& stage, const PlannedJob& job, double repetitions) {
  StageCost cost{.kinds = kinds_of(stage), .sets = stage.sets.size()};
  std::size_t members = 0;
  for (const ConcurrentSet& set : stage.sets) {
    cost.groups += set.size();
    members = std::max(members, set.empty() ? 0 : set.front().size());
  }
  Seconds once = 0;
  for (const Experiment& shape : stage.shapes) {
    once += time_of(shape, members, job);
  }
  for (const Curve& curve : stage.curves) {
    for (const Bytes bytes : curve.sizes) {
      for (const Experiment& shape : curve.shapes) {
        once += time_of(at_size(shape, bytes), members, job);
      }
    }
  }
  cost.experiments = cost.groups * stage.experiments();
  cost.repetitions = repetitions * static_cast<double>(cost.experiments);
  cost.time = (repetitions + 1) * once * static_cast<double>(stage.sets.size());
  return cost;
}

MeasureArguments arguments_of(const std::vector<std::string>& words) {
  std::vector<const char*> argv{"postage-measure"};
  for (const std::string& word : words) {
    argv.push_back(word.c_str());
  }
  return parse_measure_arguments(static_cast<int>(argv.size()), argv.data());
}

StageCost cost_of_probes(std::size_t pairs, const PlannedJob& job, bool serial) {
  const auto count = static_cast<double>(pairs);
  const double sets = serial ? count : 2 * count / std::max(job.hosts, 1);
  return {.kinds = "roundtrips that tell which pairs are alike",
          .groups = pairs,
          .sets = static_cast<std::size_t>(sets),
          .experiments = 2 * pairs,
          .repetitions = 2 * count * kProbeRepetitions,
          .time = sets * (kProbeRepetitions + 1) * 2 * (2 * job.latency + kProbedBytes * job.per_byte)};
}

}  // namespace

StageCost CampaignCost::total() const {
  StageCost sum{.kinds = "all"};
  for (const StageCost& stage : stages) {
    sum.groups += stage.groups;
    sum.sets += stage.sets;
    sum.experiments += stage.experiments;
    sum.repetitions += stage.repetitions;
    sum.time += stage.time;
  }
  return sum;
}

CampaignCost cost_of_campaign(const std::vector<std::string>& words, const PlannedJob& job) {
  const MeasureArguments arguments = arguments_of(words);
  const RankPlacements placements = placements_of(job);
  const auto count = static_cast<std::size_t>(placements.count());
  CampaignCost cost{.pairs = count * (count - 1) / 2, .probed_pairs = 0, .stages = {}};
  std::optional<Representatives> chosen;
  const bool in_series = arguments.settings.serial && !job.is_virtual;
  if (!arguments.settings.all_pairs && are_pairs_probed(placements.host_of(), in_series)) {
    const std::vector<RankPair> probed = pairs_to_probe(placements.count());
    cost.probed_pairs = probed.size();
    cost.stages.push_back(cost_of_probes(probed.size(), job, arguments.settings.serial));
    if (!have_all_pairs_measured(placements.host_of(), in_series)) {
      chosen = representatives_of(job, placements, probed);
    }
  }
  const double repetitions = job.is_virtual ? kSimulatedRepetitions : arguments.settings.least_repetitions;
  for (const CampaignStage& stage :
       stages_of(arguments.plan, {placements, chosen}, arguments.settings, "global-clock")) {
    cost.stages.push_back(cost_of(stage, job, repetitions));
  }
  return cost;
}

}  // namespace postage
