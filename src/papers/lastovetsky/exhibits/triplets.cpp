#include "papers/builtin_papers.hpp"

#include <postage/estimate/estimate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage::lastovetsky_paper {
namespace {

constexpr Bytes kTripletBytes = 10000;

Measurement timed(const Experiment& experiment, Seconds seconds) {
  Measurement m{.experiment = experiment, .precise = true};
  m.passes = {{seconds, seconds}};
  m.summary = summarise(m.passes, 0.95);
  return m;
}

/// C = 10, 20, 30 us; t = 1, 2, 3 ns/B; beta_01, beta_02, beta_12 = 50, 100, 80 MB/s: by hand from equations 6 and 11.
SampleSet triplet_by_hand() {
  SampleSet samples{.implementation = "by hand"};
  for (int rank = 0; rank < 3; ++rank) {
    samples.nodes.push_back({.name = fmt::format("h{}", rank), .topology = {.cores = {Core{}}}});
    samples.ranks.push_back({.node = rank, .core = 0});
  }
  const auto roundtrip = [&](int a, int b, Seconds empty, Seconds full) {
    samples.measurements.push_back(timed({.kind = ExperimentKind::kRoundtrip, .source = a, .target = b}, empty));
    samples.measurements.push_back(
        timed({.kind = ExperimentKind::kRoundtrip, .source = a, .target = b, .bytes = kTripletBytes}, full));
  };
  roundtrip(0, 1, 60e-6, 290e-6);
  roundtrip(0, 2, 80e-6, 220e-6);
  roundtrip(1, 2, 100e-6, 275e-6);
  const auto to_two = [&](int source, int first, int second, Seconds seconds) {
    samples.measurements.push_back(timed({.kind = ExperimentKind::kOneToTwo,
                                          .source = source,
                                          .target = first,
                                          .second_target = second,
                                          .bytes = kTripletBytes},
                                         seconds));
  };
  to_two(0, 1, 2, 320e-6);
  to_two(1, 0, 2, 350e-6);
  to_two(2, 0, 1, 365e-6);
  return samples;
}

ParameterTable printed_estimates() {
  const Platform platform = estimate_platform(triplet_by_hand(), "triplet", {.printed_equations = true, .folds = 0});
  return *std::ranges::find_if(platform.models, [](const ParameterTable& table) { return table.model == "lmo"; });
}

double of_processor(const ParameterTable& table, int rank, const char* symbol) {
  return std::ranges::find_if(table.groups, [&](const auto& group) { return group.scope.processor == rank; })
      ->values.at(symbol)
      .value;
}

ExhibitResult fixed_delays_by_hand(PaperContext&) {
  const ParameterTable table = printed_estimates();
  ExhibitResult result{
      .why =
          "From T_01(0) = 60, T_02(0) = 80 and T_12(0) = 100 us. Equations 4 and 5 are the same system with "
          "alpha, or L + 2o - G, for half of these."};
  for (int rank = 0; rank < 3; ++rank) {
    result.rows.push_back(
        number_row(fmt::format("C_{}", rank), 10e-6 * (rank + 1), of_processor(table, rank, "C"), AxisUnit::kSeconds));
  }
  return result;
}

ExhibitResult variable_delays_by_hand(PaperContext&) {
  const ParameterTable table = printed_estimates();
  ExhibitResult result{
      .why =
          "For M = 10000 bytes: T_01(M) = 290, T_02(M) = 220, T_12(M) = 275 us (eq. 6), and one-to-two times of 40 + "
          "20 + "
          "260 = 320, 80 + 40 + 230 = 350 and 120 + 60 + 185 = 365 us (eq. 11). By default `estimate` takes another "
          "equation for T_i (see misprints); this is `estimate --printed-equations`."};
  for (int rank = 0; rank < 3; ++rank) {
    result.rows.push_back(number_row(fmt::format("t_{} of 1000 bytes", rank), 1e-6 * (rank + 1),
                                     1000 * of_processor(table, rank, "t"), AxisUnit::kSeconds));
  }
  for (const auto& [a, b, rate] : {std::tuple{0, 1, 50e6}, {0, 2, 100e6}, {1, 2, 80e6}}) {
    const auto group = std::ranges::find_if(
        table.groups, [a = a, b = b](const auto& one) { return one.scope.first == a && one.scope.second == b; });
    result.rows.push_back(
        number_row(fmt::format("beta_{}{}", a, b), rate, group->values.at("beta").value, AxisUnit::kRate));
  }
  return result;
}

}  // namespace

Exhibits triplets() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "4-7",
           .caption = "fixed delays C_i from empty roundtrips among three ranks",
           .where = {"src/estimate/lmo/printed.cpp#fixed_delays"},
           .compute = fixed_delays_by_hand},
          {.kind = ExhibitKind::kEquation,
           .number = "11-16",
           .caption = "delays t_i and rates beta_ij from one-to-two experiments",
           .where = {"src/estimate/lmo/printed.cpp#variable_delay", "src/measure/experiments/one_to_two.cpp"},
           .compute = variable_delays_by_hand}};
}

}  // namespace postage::lastovetsky_paper
