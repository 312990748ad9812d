#include "samples/rank_union.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace postage {
namespace {

/// Where other's hosts are among those of `merged`, which gets those that it lacks.
std::vector<int> unite_nodes(SampleSet& merged, const SampleSet& other, const std::string& name) {
  std::vector<int> numbers;
  for (const Node& node : other.nodes) {
    const auto known = std::ranges::find(merged.nodes, node.name, &Node::name);
    if (known != merged.nodes.end() && known->topology != node.topology) {
      throw Error(fmt::format("{} does not belong to the other campaigns: its host {} has other cores than there", name,
                              node.name));
    }
    numbers.push_back(static_cast<int>(known - merged.nodes.begin()));
    if (known == merged.nodes.end()) {
      merged.nodes.push_back(node);
    }
  }
  return numbers;
}

/// The numbers of ranks by host, core, and how many before them share that core.
class RankNumbers {
 public:
  int number_of(const RankPlacement& placement, SampleSet& merged) {
    const int before = seen_[{placement.node, placement.core}]++;
    for (std::size_t rank = 0, same = 0; rank < merged.ranks.size(); ++rank) {
      if (merged.ranks[rank] == placement && static_cast<int>(same++) == before) {
        return static_cast<int>(rank);
      }
    }
    merged.ranks.push_back(placement);
    return static_cast<int>(merged.ranks.size()) - 1;
  }

 private:
  std::map<std::pair<int, int>, int> seen_;
};

bool is_of_all_ranks(const Experiment& experiment) {
  return experiment.kind.fields().has(ExperimentField::kRanks);
}

/// Numbers in other orders are other experiments where a kind does not tell source from target.
void renumber(Experiment& experiment, const std::vector<int>& numbers) {
  const auto renumbered = [&](std::int32_t rank) { return rank < 0 ? rank : numbers[static_cast<std::size_t>(rank)]; };
  experiment.source = renumbered(experiment.source);
  experiment.target = renumbered(experiment.target);
  experiment.second_target = renumbered(experiment.second_target);
  for (std::int32_t& member : experiment.members) {
    member = renumbered(member);
  }
}

}  // namespace

bool is_elsewhere(const SampleSet& a, const SampleSet& b) {
  return a.nodes != b.nodes || a.ranks != b.ranks;
}

std::size_t unite_ranks(SampleSet& merged, SampleSet& other, const std::string& name) {
  const std::vector<int> hosts = unite_nodes(merged, other, name);
  std::vector<int> numbers;
  RankNumbers known;
  bool is_beginning = true;
  for (const RankPlacement& rank : other.ranks) {
    numbers.push_back(known.number_of({hosts[static_cast<std::size_t>(rank.node)], rank.core}, merged));
    is_beginning = is_beginning && numbers.back() == static_cast<int>(numbers.size()) - 1;
  }
  const std::size_t all = other.measurements.size();
  if (!is_beginning) {
    const auto of_all = [](const auto& item) { return is_of_all_ranks(item.experiment); };
    std::erase_if(other.measurements, of_all);
    std::erase_if(other.controls, of_all);
    std::erase_if(other.left_out, is_of_all_ranks);
  }
  const std::size_t dropped = all - other.measurements.size();
  for (Measurement& m : other.measurements) {
    renumber(m.experiment, numbers);
  }
  for (Control& control : other.controls) {
    renumber(control.experiment, numbers);
  }
  for (Experiment& experiment : other.left_out) {
    renumber(experiment, numbers);
  }
  for (PairProbe& probe : other.pair_probes.pairs) {
    probe.ranks = std::minmax(numbers[static_cast<std::size_t>(probe.ranks.first)],
                              numbers[static_cast<std::size_t>(probe.ranks.second)]);
  }
  return dropped;
}

}  // namespace postage
