#include "cli/tables/dry_run.hpp"

#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/random_platform.hpp>
#include <postage/launch/virtual_cluster.hpp>
#include <postage/measure/plan_cost.hpp>

#include <fmt/format.h>

#include <tuple>
#include <utility>

namespace postage {
namespace {

PlannedJob job_of(const LaunchOptions& launch, int per_node) {
  PlannedJob job{.hosts = launch.ranks, .per_host = per_node, .is_virtual = !launch.virtual_name.empty()};
  if (const auto seed = seed_of(launch.virtual_name); seed && launch.ranks == 0) {
    job.hosts = random_platform(*seed).ranks();
  } else if (launch.ranks == 0 && job.is_virtual && !launch.virtual_name.ends_with(".xml")) {
    job.hosts = static_cast<Rank>(find_virtual_cluster(launch.virtual_name).capacity());
  }
  if (job.hosts == 0) {
    throw UsageError("--dry-run needs the number of ranks: give -n, and --per-node where several are on a host");
  }
  if (job.hosts % per_node != 0) {
    throw UsageError(fmt::format("-n {} ranks are not --per-node {} on each host", job.hosts, per_node));
  }
  job.hosts /= per_node;
  return job;
}

std::vector<std::string> row_of(const StageCost& cost) {
  return {cost.kinds,
          fmt::format("{}", cost.groups),
          fmt::format("{}", cost.sets),
          fmt::format("{}", cost.experiments),
          fmt::format("{:.0f}", cost.repetitions),
          format_seconds(cost.time)};
}

void print(const CampaignCost& cost, const char* title) {
  fmt::print("{}: {} of {} pairs are probed\n", title, cost.probed_pairs, cost.pairs);
  using Align = Table::Align;
  Table table({{"experiments", Align::kLeft},
               {"groups", Align::kRight},
               {"sets", Align::kRight},
               {"number", Align::kRight},
               {"repetitions", Align::kRight},
               {"time", Align::kRight}});
  for (const StageCost& stage : cost.stages) {
    table.add_row(row_of(stage));
  }
  table.add_row(row_of(cost.total()));
  fmt::print("{}\n", table.render(output_width()));
}

Json to_json(const StageCost& cost) {
  return {{"kinds", cost.kinds},
          {"groups", cost.groups},
          {"sets", cost.sets},
          {"experiments", cost.experiments},
          {"repetitions", cost.repetitions},
          {"seconds", cost.time}};
}

Json to_json(const CampaignCost& cost) {
  Json stages = Json::array();
  for (const StageCost& stage : cost.stages) {
    stages.push_back(to_json(stage));
  }
  return {{"pairs", cost.pairs},
          {"probed_pairs", cost.probed_pairs},
          {"stages", std::move(stages)},
          {"total", to_json(cost.total())}};
}

}  // namespace

void print_dry_run(const LaunchOptions& launch, int per_node, const std::vector<std::string>& experiments,
                   bool as_json) {
  std::vector<std::string> words = words_of(launch.measuring);
  words.insert(words.end(), experiments.begin(), experiments.end());
  PlannedJob job = job_of(launch, per_node);
  Json both = Json::object();
  for (const auto& [likeness, name, title] :
       {std::tuple(RankLikeness::kAllAlike, "all_alike", "If all hosts are alike"),
        std::tuple(RankLikeness::kAllDifferent, "all_different", "If all ranks differ")}) {
    job.likeness = likeness;
    const CampaignCost cost = cost_of_campaign(words, job);
    if (as_json) {
      both[name] = to_json(cost);
    } else {
      print(cost, title);
    }
  }
  if (as_json) {
    fmt::print("{}\n", both.dump(1));
    return;
  }
  fmt::print(
      "Sets of groups follow one another, the groups of a set work at the same time. Times are those of messages that "
      "take 10us and 1ns a byte; where repetitions scatter, there are more of them until the budget of {} is spent.\n",
      launch.measuring.budget);
}

}  // namespace postage
