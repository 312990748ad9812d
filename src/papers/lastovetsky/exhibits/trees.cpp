#include "papers/builtin_papers.hpp"
#include "papers/lastovetsky/tree_cases.hpp"

#include <postage/base/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage::lastovetsky_paper {
namespace {

/// Of the lower bound of a cell that counts, as a share of the best other time.
constexpr double kRoom = 1.3;

std::vector<double> map_of(const std::vector<CaseTimes>& cases, double (*value)(const CaseTimes&)) {
  std::vector<double> values;
  std::ranges::transform(cases, std::back_inserter(values), value);
  return values;
}

double gain(const CaseTimes& one) {
  return one.best_other() / one.optimised();
}

double mapping_gain(const CaseTimes& one) {
  return one.simulated.at("worst-binomial") / one.simulated.at("mapped-binomial");
}

double predicted_mapping_gain(const CaseTimes& one) {
  return one.predicted.at("worst-binomial") / one.predicted.at("mapped-binomial");
}

double saved_of_native(const CaseTimes& one) {
  return 1 - one.optimised() / std::min(one.simulated.at("ompi"), one.simulated.at("mpich"));
}

double prediction_error(const CaseTimes& one) {
  return std::abs(one.predicted.at("optimised") / one.optimised() - 1);
}

double most_gain(const CaseTimes& one) {
  return one.best_other() / one.predicted.at("exact");
}

double lost_to_exact(const CaseTimes& one) {
  return one.predicted.at("optimised") / one.predicted.at("exact") - 1;
}

bool has_room(const CaseTimes& one) {
  return one.best_other() > kRoom * one.bound;
}

void add_rows(ExhibitResult& result, const std::string& cluster, const std::vector<CaseTimes>& cases) {
  std::vector<CaseTimes> roomy;
  std::ranges::copy_if(cases, std::back_inserter(roomy), has_room);
  const std::vector<double> gains = map_of(cases, gain);
  const auto say = [&](const char* what) { return fmt::format("{}: {}", cluster, what); };
  const auto row = [&](const char* what, double value, AxisUnit unit = AxisUnit::kNumber) {
    result.rows.push_back(our_row(say(what), value, unit));
  };
  row("cases", static_cast<double>(cases.size()));
  row("cases with room for 1.3 above t_0 x bytes", static_cast<double>(roomy.size()));
  row("best other time over the optimised tree's, median where there is room", median(map_of(roomy, gain)));
  row("the same, most", std::ranges::max(gains));
  row("the same, least", std::ranges::min(gains));
  if (cases.front().predicted.contains("exact")) {
    const std::vector<double> possible = map_of(cases, most_gain);
    row("best other time over the exact tree's, most", std::ranges::max(possible));
    row("the same, median", median(possible));
    row("the optimised tree slower than the exact one by prediction, most",
        std::ranges::max(map_of(cases, lost_to_exact)), AxisUnit::kShare);
  }
  row("cases in which the optimised tree is slower by more than 2 %",
      static_cast<double>(std::ranges::count_if(gains, [](double one) { return one < 0.98; })));
  const double saved = std::ranges::max(map_of(cases, saved_of_native));
  result.rows.push_back(
      claim_row(say("of the library's time saved, at most"), "up to 40 %", saved, AxisUnit::kShare, saved >= 0.4));
  row("worst over best mapping of the binomial tree, median, simulated", median(map_of(cases, mapping_gain)));
  row("the same, predicted", median(map_of(cases, predicted_mapping_gain)));
  row("error of the optimised tree's prediction, median", median(map_of(cases, prediction_error)), AxisUnit::kShare);
}

/// Equal blocks of one collective and root over their size.
PaperChart chart_of(const std::string& cluster, Collective collective, const std::vector<CaseTimes>& cases) {
  PaperChart chart{
      .name = fmt::format("{}-{}", cluster, name_of(collective)),
      .title = fmt::format("{} from the slowest of 16 hosts of {}, simulated", name_of(collective), cluster),
      .curves = {}};
  for (const char* name : {"ompi", "mpich", "worst-binomial", "mapped-binomial", "optimised"}) {
    DrawnCurve curve{.label = name, .x = {}, .y = {}};
    for (const CaseTimes& one : cases) {
      if (one.tree_case.collective == collective && one.tree_case.counts == "equal" && one.tree_case.root != 0) {
        curve.x.push_back(static_cast<double>(one.tree_case.block));
        curve.y.push_back(one.simulated.at(name));
      }
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

ExhibitResult optimised_trees(PaperContext& context) {
  const std::vector<Bytes> sizes{64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
  ExhibitResult result{
      .why =
          "The paper gives one number for its optimised scatterv and gatherv, and leaves the algorithm to another "
          "paper. Here trees are built by LMO as `postage optimize tree` does, for a fast and a slow root, and equal, "
          "proportional and random counts of 64 B to 64 KB on average. Other times are those of linear and binomial "
          "trees, the latter also with the paper's choice of ranks, and of SMPI's collectives as its selectors ompi "
          "and "
          "mpich take them. On mixed16-ethernet medium messages from several hosts to one escalate, so that gathers "
          "gain more. Blocks of 64 KB leave little to gain, since a link takes longer for one than the root's "
          "processor "
          "for all: t_0 x bytes is far below what any tree can reach. What a tree of whole messages can reach "
          "is the exact one, by dynamic programming over all sets of the 16 hosts."};
  std::vector<VirtualCluster> clusters{mixed_cluster(), mixed_ethernet_cluster()};
  for (std::uint64_t i = 1; i <= 3; ++i) {
    clusters.push_back(random_cluster(context.seed() + i));
    clusters.back().name = fmt::format("random{}", i);
  }
  for (const VirtualCluster& cluster : clusters) {
    const std::vector<CaseTimes> cases = run_tree_cases(context, cluster, tree_cases(cluster, sizes, context.seed()));
    add_rows(result, cluster.name, cases);
    if (cluster.name == clusters[0].name || cluster.name == clusters[1].name) {
      result.charts.push_back(chart_of(cluster.name, Collective::kScatter, cases));
      result.charts.push_back(chart_of(cluster.name, Collective::kGather, cases));
    }
  }
  return result;
}

}  // namespace

Exhibits trees() {
  return {
      {.kind = ExhibitKind::kClaim,
       .number = "7-trees",
       .caption = "scatterv and gatherv along trees built by LMO",
       .where = {"src/optimize/trees/single_tree.cpp#optimise_single_tree", "src/optimize/trees/forms.cpp#place_ranks",
                 "src/papers/lastovetsky/tree_cases.cpp#run_tree_cases"},
       .source = ExhibitSource::kSimulated,
       .duration = 300,
       .command = "postage optimize tree scatterv --platform platform.json --counts counts.txt",
       .compute = optimised_trees}};
}

}  // namespace postage::lastovetsky_paper
