#include "papers/builtin_papers.hpp"
#include "papers/tu/by_hand.hpp"
#include "papers/tu/test_bed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace postage::tu_paper {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double largest_of(const std::vector<double>& differences) {
  double largest = 0;
  for (const double difference : differences) {
    largest = std::abs(difference) > std::abs(largest) ? difference : largest;
  }
  return largest;
}

/// By how much of the second the first is less.
double less(Seconds node, Seconds network) {
  return 1 - node / network;
}

/// The differences between the levels; of latencies where there is one between nodes.
struct Differences {
  std::vector<double> overhead{};
  std::vector<double> latency{};
  std::vector<double> whole{};
};

Differences differences_of(const Middleware2& times) {
  Differences all;
  for (const Bytes bytes : kSizes) {
    all.overhead.push_back(less(times.node.overhead.at(bytes), times.network.overhead.at(bytes)));
    for (const Bytes stride : kStrides) {
      if (const Seconds network = times.network.latency.at(bytes).at(stride); network > 0) {
        all.latency.push_back(less(times.node.latency.at(bytes).at(stride), network));
      }
      all.whole.push_back(less(times.node.whole(bytes, stride), times.network.whole(bytes, stride)));
    }
  }
  return all;
}

DrawnCurve dots_of(const std::string& label, const std::function<Seconds(Bytes, Bytes)>& time) {
  DrawnCurve curve{.label = label, .dots = true};
  for (const Bytes bytes : kSizes) {
    for (const Bytes stride : kStrides) {
      curve.x.push_back(static_cast<double>(curve.x.size() + 1));
      curve.y.push_back(time(bytes, stride));
    }
  }
  return curve;
}

PaperChart chart_of(const std::string& name, const std::string& where, const MiddlewareTimes& times) {
  return {.name = name,
          .title = "Middleware costs " + where,
          .curves = {dots_of("overhead", [&](Bytes bytes, Bytes) { return times.overhead.at(bytes); }),
                     dots_of("latency", [&](Bytes bytes, Bytes stride) { return times.latency.at(bytes).at(stride); })},
          .x = {names_of_points(), AxisUnit::kNumber, false},
          .y = {"", AxisUnit::kSeconds}};
}

/// How often a time is no less than that of the next smaller size or stride.
double share_that_grows(const MiddlewareTimes& times) {
  int grows = 0;
  int all = 0;
  for (std::size_t s = 0; s < kSizes.size(); ++s) {
    for (std::size_t d = 0; d < kStrides.size(); ++d) {
      const Seconds here = times.latency.at(kSizes[s]).at(kStrides[d]);
      if (s > 0) {
        ++all;
        grows += here >= times.latency.at(kSizes[s - 1]).at(kStrides[d]) ? 1 : 0;
      }
      if (d > 0) {
        ++all;
        grows += here >= times.latency.at(kSizes[s]).at(kStrides[d - 1]) ? 1 : 0;
      }
    }
  }
  return static_cast<double>(grows) / all;
}

/// l over o of the largest message at the largest stride.
double dominance(const MiddlewareTimes& times) {
  return times.latency.at(kSizes.back()).at(kStrides.back()) / times.overhead.at(kSizes.back());
}

ExhibitResult middleware_costs(PaperContext& context) {
  const Middleware2 times = measured_middleware(context);
  const Differences less = differences_of(times);
  ExhibitResult result{
      .rows = {number_row("middleware overhead within a node, less than between nodes by, mean", 0.492,
                          mean(less.overhead), AxisUnit::kShare, 0.0005),
               number_row("largest difference of middleware latencies", 0.879, largest_of(less.latency),
                          AxisUnit::kShare, 0.0005),
               number_row("whole middleware cost within a node, less by, mean", 0.41, mean(less.whole),
                          AxisUnit::kShare, 0.005),
               claim_row("16K512S, l_mw beside o_mw", "> 1 (latency dominates)", dominance(times.node),
                         AxisUnit::kNumber, dominance(times.node) > 1),
               claim_row("16K512S, l'_mw beside o'_mw", "> 1 (latency dominates)", dominance(times.network),
                         AxisUnit::kNumber, dominance(times.network) > 1),
               claim_row("latency within a node grows with size and stride", "of all steps",
                         share_that_grows(times.node), AxisUnit::kShare, share_that_grows(times.node) == 1),
               claim_row("latency between nodes grows with size and stride", "of all steps",
                         share_that_grows(times.network), AxisUnit::kShare, share_that_grows(times.network) == 1)},
      .why =
          "Measured on this machine's cores with Open MPI: shared memory within a node, TCP over the loopback "
          "interface between nodes, o'_mw being what sends and receives keep the processors. Elements have 4 bytes. "
          "The paper's cores of 2007, MPICH2 1.0.6 and Linux 2.6 had other costs than these: a core of today packs a "
          "piece in 1 to 3 ns, its caches hold 16 Kbyte at the stride of 64, and TCP's overhead is larger beside that "
          "of shared memory. Open MPI packs a strided message for TCP as for shared memory, and l differs little "
          "between the levels; where it is larger within a node, the difference is below zero: the paper finds the "
          "opposite, and does not say how MPICH2 packs.",
      .charts = {chart_of("node", "within a node", times.node), chart_of("network", "between nodes", times.network)}};
  for (const Bytes bytes : kSizes) {
    for (const Bytes stride : kStrides) {
      const std::string point = name_of_point(bytes, stride);
      result.rows.push_back(our_row(point + ", o_mw + l_mw", times.node.whole(bytes, stride), AxisUnit::kSeconds));
      result.rows.push_back(our_row(point + ", o'_mw + l'_mw", times.network.whole(bytes, stride), AxisUnit::kSeconds));
    }
  }
  return result;
}

/// The equations by which figure 2's times are found, backwards: roundtrips of the parameters worked with by hand.
ExhibitResult roundtrips(PaperContext&) {
  const auto roundtrip = [](Rank target, const Strides& strides) {
    return 2 * predict_message(0, target, kHandBytes, hand_model("2log23p", hand_parameters(), strides)).seconds;
  };
  return {
      .rows = {number_row("RTT(s) = 2 o_mw = 2 * 10 us", 20e-6, roundtrip(1, {}), AxisUnit::kSeconds),
               number_row("RTT(s,d) = 2 (10 + 6) us", 32e-6, roundtrip(1, kHandStrides), AxisUnit::kSeconds),
               number_row("RTT'(s) = 2 (20 + 100) us", 240e-6, roundtrip(8, {}), AxisUnit::kSeconds),
               number_row("RTT'(s,d) = 2 (20 + 30 + 100) us", 300e-6, roundtrip(8, kHandStrides), AxisUnit::kSeconds)},
      .why =
          "The estimator solves them for o_mw, l_mw, o'_mw and l'_mw; tests/unit/estimate and tests/sim recover "
          "known parameters."};
}

}  // namespace

Exhibits figure_2() {
  return {
      {.kind = ExhibitKind::kEquation,
       .number = "IV.A-roundtrips",
       .caption = "roundtrips that give the parameters",
       .where = {"src/estimate/log_np/tables.cpp#strided_latency", "src/estimate/log_np/transfers.cpp#between_nodes"},
       .compute = roundtrips},
      {.kind = ExhibitKind::kFigure,
       .number = "2",
       .caption = "middleware costs of point-to-point communication",
       .where = {"src/papers/tu/middleware.cpp#measured_middleware",
                 "src/measure/experiments/strided_roundtrip.cpp#StridedRoundtrip"},
       .source = ExhibitSource::kMeasured,
       .duration = 25,
       .command = "postage measure --strided-sizes 1K,4K,16K --strides 8,64,512",
       .compute = middleware_costs}};
}

}  // namespace postage::tu_paper
