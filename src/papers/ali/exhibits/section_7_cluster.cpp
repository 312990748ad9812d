#include "papers/ali/blade_study.hpp"
#include "papers/builtin_papers.hpp"

#include <postage/base/error.hpp>
#include <postage/platform/platform.hpp>
#include <postage/predict/formulas/ali.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage::ali_paper {
namespace {

namespace cell = closed_form::cell;

constexpr std::int64_t kBlades = 4;
constexpr std::int64_t kRoundsBetween = 2;  ///< ceil(log2 4)

CostCurve curve_of(const ParameterCurve& points) {
  std::vector<CostCurve::Point> curve;
  for (const ParameterPoint& point : points) {
    curve.push_back({static_cast<double>(point.bytes), point.estimate.value});
  }
  return CostCurve(std::move(curve));
}

/// Parameters of one channel, of which the formulas beyond a blade need latency and gap.
CellPLogPLink link_of(const Platform& platform, const std::string& channel) {
  for (const ParameterGroup& group : platform.models.front().groups) {
    if (group.scope.channel == channel) {
      CellPLogPLink link{.latency = curve_of(group.curves.at("L")), .gap = curve_of(group.curves.at("g"))};
      if (const auto ack = group.values.find("L_ack"); ack != group.values.end()) {
        link.latency_of_ack = ack->second.value;
      }
      return link;
    }
  }
  throw Error("postage-blade gave no parameters of the channel " + channel);
}

/// What section 6.1 says of the barrier, for a broadcast: to the PPE, MPI's binomial broadcast, to an SPE of each
/// blade, and on the blade by binomial-opt.
Seconds broadcast(const cell::Blade& blade, const CellPLogPLink& host, const CellPLogPLink& network, Bytes bytes) {
  const auto size = static_cast<double>(bytes);
  const Seconds message = network.latency.at(size) + network.gap.at(size);
  return 2 * host.latency.at(size) + static_cast<double>(kRoundsBetween) * message +
         cell::optimised_binomial_bcast(blade, cell::Chips::kTwo, 16, bytes);
}

PaperRow row_of(const std::string& what, Seconds predicted, Seconds simulated) {
  const double error = predicted / simulated - 1;
  return claim_row(what, "within 13 %", error, AxisUnit::kShare, std::abs(error) <= 0.13);
}

ExhibitResult cluster(PaperContext& context) {
  const Platform platform =
      platform_from_json(run_blade(context, {"parameters", "--of", "cluster"}), "postage-blade parameters");
  const cell::Blade blade{.chip = link_of(platform, kIntraSocket), .across = link_of(platform, kInterNode)};
  const CellPLogPLink host = link_of(platform, "spe-ppe");
  const CellPLogPLink network = link_of(platform, "between-blades");
  const Json simulated = run_blade(context, {"cluster", "--blades", std::to_string(kBlades)});
  ExhibitResult result;
  result.rows = {
      row_of("barrier", cell::cluster_barrier(blade, host, network, kBlades).lower, simulated["barrier"].number())};
  PaperChart chart{.title = "Broadcasts over four blades",
                   .curves = {{.label = "predicted"}, {.label = "simulated", .dots = true}}};
  for (const Json& point : simulated["bcast"]) {
    const Bytes bytes = point["bytes"].integer();
    const Seconds predicted = broadcast(blade, host, network, bytes);
    result.rows.push_back(row_of("broadcast of " + format_bytes(bytes), predicted, point["seconds"].number()));
    chart.curves[0].x.push_back(static_cast<double>(bytes));
    chart.curves[0].y.push_back(predicted);
    chart.curves[1].x.push_back(static_cast<double>(bytes));
    chart.curves[1].y.push_back(point["seconds"].number());
  }
  result.why =
      "Four blades, 64 SPEs. The network, which the paper does not name, is taken to be gigabit Ethernet, so that it "
      "is "
      "nearly all of the time: what is tested is that formulas of levels add up. The broadcast's formula is not "
      "printed.";
  result.charts = {std::move(chart)};
  return result;
}

}  // namespace

Exhibits section_7_cluster() {
  return {{.kind = ExhibitKind::kClaim,
           .number = "7.2-cluster",
           .caption = "barrier and broadcast over four blades",
           .where = {"src/predict/formulas/ali.cpp#cluster_barrier", "src/blade/transport/cluster.cpp#cluster_bcast"},
           .source = ExhibitSource::kSimulated,
           .duration = 10,
           .command = "postage-blade cluster",
           .compute = cluster}};
}

}  // namespace postage::ali_paper
