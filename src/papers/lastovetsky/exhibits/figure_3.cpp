#include "papers/builtin_papers.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/launch/virtual_cluster.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace postage::lastovetsky_paper {
namespace {

constexpr int kRanks = 16;
/// An MPI implementation of section 5: the limits of medium gathers that are printed, and the size above which it sends
/// by a rendezvous: LAM's rpi_tcp_short and ch_p4's long messages, from memory.
struct Implementation {
  const char* name;
  double small;
  double large;
  Bytes largest_eager;
};
constexpr std::array<Implementation, 2> kImplementations{{{"LAM", 4e3, 65e3, 65536}, {"MPICH", 3e3, 125e3, 128000}}};

/// Nothing ends the escalations but the rendezvous, by which senders take turns.
VirtualCluster cluster_of(const Implementation& implementation) {
  VirtualCluster cluster = mixed_ethernet_cluster();
  cluster.escalations = fmt::format("{} 1e9 0.04 0.05 0.2 0.02", implementation.small);
  cluster.largest_eager = implementation.largest_eager;
  return cluster;
}

SampleSet sweeps_on(PaperContext& context, const Implementation& implementation) {
  context.tell(
      fmt::format("simulating sweeps of scatter and gather on 16 hosts with {}'s limits", implementation.name));
  return context.simulate(
      cluster_of(implementation), kRanks,
      {"--sizes", "1", "--reply-sizes", "0,32K", "--overhead-sizes", "none", "--train-sizes", "none",
       "--one-to-two-sizes", "0,32K", "--sweep-sizes", "0:192K:+4K", "--least", "20", "--most", "20"});
}

/// What was simulated beside LMO's prediction.
struct Sweep {
  DrawnCurve simulated;
  DrawnCurve predicted;
  std::vector<Prediction> predictions{};

  /// The largest error of blocks from one size to another.
  [[nodiscard]] double largest_error(double from, double to) const {
    double largest = 0;
    for (std::size_t i = 0; i < simulated.x.size(); ++i) {
      if (simulated.x[i] >= from && simulated.x[i] <= to) {
        largest = std::max(largest, std::abs(predicted.y[i] / simulated.y[i] - 1));
      }
    }
    return largest;
  }
  /// Of those that may escalate, those that took what is predicted between the ends of its interval.
  [[nodiscard]] double share_within() const {
    double all = 0;
    double within = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      if (predictions[i].may_escalate()) {
        all += 1;
        within += simulated.y[i] >= predictions[i].lower && simulated.y[i] <= predictions[i].upper ? 1 : 0;
      }
    }
    return within / all;
  }
};

Sweep sweep_of(const SampleSet& samples, const PlatformModel& model, ExperimentKind kind, Collective collective,
               const std::string& label) {
  Sweep sweep{{.label = label + ", simulated", .dots = true}, {.label = label + ", LMO"}};
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == kind && m.experiment.bytes > 0) {
      const Schedule schedule =
          build_schedule(find_algorithm(collective, "linear"), {.ranks = kRanks, .bytes = m.experiment.bytes});
      sweep.predictions.push_back(predict(schedule, model));
      for (DrawnCurve* curve : {&sweep.simulated, &sweep.predicted}) {
        curve->x.push_back(static_cast<double>(m.experiment.bytes));
      }
      sweep.simulated.y.push_back(m.summary.median);
      sweep.predicted.y.push_back(sweep.predictions.back().seconds);
    }
  }
  return sweep;
}

const ParameterGroup& platform_group(const ParameterTable& table) {
  return *std::ranges::find_if(table.groups, [](const ParameterGroup& group) { return group.values.contains("M_1"); });
}

void add_limits(const ParameterGroup& group, const Implementation& implementation, std::vector<PaperRow>& rows) {
  const auto name = [&](const char* what) { return fmt::format("{}: {}", implementation.name, what); };
  const auto add = [&](const char* symbol, double printed) {
    const double found = group.values.at(symbol).value;
    rows.push_back(number_row(name(symbol), printed, found, AxisUnit::kBytes, 500));
  };
  add("M_1", implementation.small);
  add("M_2", implementation.large);
  rows.push_back(our_row(
      fmt::format("{}: S, with a rendezvous above {}", implementation.name, format_bytes(implementation.largest_eager)),
      group.values.at("S").value, AxisUnit::kBytes));
  for (int level = 1; group.values.contains(fmt::format("E_{}", level)); ++level) {
    rows.push_back(our_row(fmt::format("{}: level {} of escalations", implementation.name, level),
                           group.values.at(fmt::format("E_{}", level)).value, AxisUnit::kSeconds));
    rows.push_back(our_row(fmt::format("{}: its share of gathers", implementation.name),
                           group.values.at(fmt::format("f_{}", level)).value, AxisUnit::kShare));
  }
}

void add_sweeps(const Sweep& scatter, const Sweep& gather, const ParameterGroup& group, const std::string& name,
                std::vector<PaperRow>& rows) {
  const double limit = group.values.at("S").value;
  const double small = group.values.at("M_1").value;
  const double large = group.values.at("M_2").value;
  const double end = scatter.simulated.x.back();
  const auto error = [&](const char* what, const Sweep& sweep, double from, double to) {
    rows.push_back(our_row(fmt::format("{}: {}: largest error of LMO", name, what), sweep.largest_error(from, to),
                           AxisUnit::kShare));
  };
  error("scatter up to S", scatter, 0, limit);
  error("scatter above S", scatter, limit + 1, end);
  error("gather below M_1", gather, 0, small - 1);
  error("gather above M_2", gather, large + 1, end);
  rows.push_back(our_row(fmt::format("{}: gather from M_1 to M_2: medians within the predicted range", name),
                         gather.share_within(), AxisUnit::kShare));
  const auto after = static_cast<std::size_t>(
      std::upper_bound(scatter.simulated.x.begin(), scatter.simulated.x.end(), limit) - scatter.simulated.x.begin());
  const double leap =
      after > 0 && after < scatter.simulated.y.size() ? scatter.simulated.y[after] / scatter.simulated.y[after - 1] : 1;
  rows.push_back(claim_row(fmt::format("{}: the scatter's time leaps at S, times", name), "leaps", leap,
                           AxisUnit::kNumber, leap > 1.2));
  const auto sum = [](const Sweep& sweep) {
    return std::accumulate(sweep.simulated.y.begin(), sweep.simulated.y.end(), 0.0);
  };
  const double ratio = sum(gather) / sum(scatter);
  rows.push_back(claim_row(fmt::format("{}: all gathers over all scatters", name), "scatter takes less", ratio,
                           AxisUnit::kNumber, ratio > 1));
}

PaperChart sweep_chart(const char* name, const std::string& title, const Sweep& sweep) {
  PaperChart chart{.name = name, .title = title, .curves = {sweep.simulated, sweep.predicted}};
  chart.x.logarithmic = false;
  chart.y.logarithmic = false;
  return chart;
}

ExhibitResult sweeps_with_limits(PaperContext& context) {
  ExhibitResult result{
      .why =
          "The paper draws both curves for its cluster, and prints M_1 and M_2 alone. Put into the simulated network "
          "are "
          "M_1; TCP's time-outs, 40 ms in 5 % and 200 ms in 2 % of messages from M_1 on that meet another on its way "
          "to "
          "the same host (assumed, nobody printed them); and the size above which an MPI sends by a rendezvous, 65536 "
          "bytes of LAM and 128000 of MPICH 1.2.7 (both from memory), which makes a blocking send wait for its "
          "receiver. "
          "S and M_2 follow: above that size senders take turns, the scatter is serialised, and nothing meets at the "
          "root. The printed M_2 of 65 and 125 KB are these two sizes, 125 KB in units of 1024 bytes. What is tested "
          "is "
          "that sweeps find all of them: S and M_2 by structural change, M_1 by tenfold times with a stride that is "
          "halved. A gather's level is that of its slowest message, its share one of gathers of 15 messages. Eq. 9 "
          "lets "
          "the root begin when the slowest block has come; this root takes in what has come before, and kappa_1 "
          "corrects "
          "the slope only."};
  for (const Implementation& implementation : kImplementations) {
    const SampleSet samples = sweeps_on(context, implementation);
    const Platform platform = estimate_platform(samples, "mixed16-ethernet");
    const auto table = std::ranges::find(platform.models, "lmo", &ParameterTable::model);
    const PlatformModel model(*table, platform.channels, ChannelMap(platform, Mapping::block(kRanks, 1)));
    const Sweep scatter = sweep_of(samples, model, ExperimentKind::kScatter, Collective::kScatter, "scatter");
    const Sweep gather = sweep_of(samples, model, ExperimentKind::kGather, Collective::kGather, "gather");
    add_limits(platform_group(*table), implementation, result.rows);
    add_sweeps(scatter, gather, platform_group(*table), implementation.name, result.rows);
    if (result.charts.empty()) {
      result.charts = {sweep_chart("scatter", "linear scatter among 16 hosts, LAM's limits", scatter),
                       sweep_chart("gather", "linear gather among 16 hosts, LAM's limits", gather)};
    }
  }
  return result;
}

}  // namespace

Exhibits figure_3() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "3",
           .caption = "linear scatter and gather over the size of a block",
           .where = {"src/measure/experiments/scatter.cpp", "src/measure/experiments/gather.cpp",
                     "src/estimate/lmo/collective_limits.cpp#add_collective_limits",
                     "src/launch/virtual_cluster.cpp#mixed_ethernet_cluster"},
           .source = ExhibitSource::kSimulated,
           .duration = 40,
           .command = "postage measure --virtual mixed16-ethernet --sweep-sizes 0:128K:+4K",
           .compute = sweeps_with_limits}};
}

}  // namespace postage::lastovetsky_paper
