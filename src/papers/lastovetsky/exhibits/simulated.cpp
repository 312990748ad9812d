#include "papers/builtin_papers.hpp"
#include "papers/lastovetsky/binomial_mapping.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/predict/formulas/lastovetsky.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage::lastovetsky_paper {
namespace {

constexpr int kHosts = 16;

DrawnCurve series(std::string label, bool dots = false) {
  return {.label = std::move(label), .x = {}, .y = {}, .dots = dots};
}

void add_point(DrawnCurve& curve, Bytes bytes, Seconds seconds) {
  curve.x.push_back(static_cast<double>(bytes));
  curve.y.push_back(seconds);
}

PlatformModel model_of_platform(const Platform& platform, const char* name) {
  const auto table =
      std::ranges::find_if(platform.models, [&](const ParameterTable& one) { return one.model == name; });
  return {*table, platform.channels, ChannelMap(platform, Mapping::block(kHosts, 1))};
}

/// What the simulator knows of two hosts, as a Hockney link.
Hockney hockney_of(const VirtualCluster& cluster) {
  Hockney model;
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    for (std::size_t j = i + 1; j < cluster.size(); ++j) {
      const Seconds empty = cluster.one_way(i, j, 0);
      const double per_byte = (cluster.one_way(i, j, 1 << 20) - empty) / (1 << 20);
      model.links.set_pair(static_cast<int>(i), static_cast<int>(j), {{0, {empty, per_byte}}});
    }
  }
  return model;
}

VirtualCluster with_hosts_at(const VirtualCluster& cluster, const std::vector<std::int32_t>& places) {
  VirtualCluster moved = cluster;
  const std::size_t n = cluster.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto from = static_cast<std::size_t>(places[i]);
    moved.hosts[i] = cluster.hosts[from];
    for (std::size_t j = 0; j < n; ++j) {
      const auto to = static_cast<std::size_t>(places[j]);
      moved.latency[i * n + j] = cluster.latency[from * n + to];
      moved.bandwidth[i * n + j] = cluster.bandwidth[from * n + to];
    }
  }
  return moved;
}

constexpr std::array<Bytes, 5> kMappedBlocks{1 << 10, 4 << 10, 16 << 10, 64 << 10, 128 << 10};

/// Times of binomial scatter or gather with the hosts at these places of the tree.
DrawnCurve binomial_times(PaperContext& context, const char* collective, const std::vector<std::int32_t>& places,
                          std::string label) {
  std::vector<std::string> words{"--sizes", "1", "--overhead-sizes", "none", "--train-sizes", "none"};
  for (const Bytes block : kMappedBlocks) {
    words.insert(words.end(), {"--collective", fmt::format("{}:binomial:{}", collective, block)});
  }
  const SampleSet samples = context.simulate(with_hosts_at(mixed_cluster(), places), kHosts, words);
  DrawnCurve curve = series(std::move(label), true);
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kCollective) {
      add_point(curve, m.experiment.bytes, m.summary.median);
    }
  }
  return curve;
}

ExhibitResult two_mappings(PaperContext& context, const char* collective) {
  const Hockney model = hockney_of(mixed_cluster());
  ExhibitResult result{
      .why =
          "The paper draws both curves and prints no number. Places were chosen by the paper's rule with "
          "the Hockney model of the simulated cluster, whose processors differ more than its "
          "links; the order in which ranks send is the same for both."};
  PaperChart chart{.name = "",
                   .title = fmt::format("binomial {} among 16 hosts, large blocks over fast or slow links", collective),
                   .curves = {}};
  std::vector<DrawnCurve> times;
  for (const auto& [choice, label] : {std::pair{Choice::kFastest, "fast links"}, {Choice::kSlowest, "slow links"}}) {
    context.tell(fmt::format("simulating binomial {} with {}", collective, label));
    const std::vector<std::int32_t> places = binomial_places(model, kHosts, 64 << 10, choice);
    times.push_back(binomial_times(context, collective, places, fmt::format("{}, simulated", label)));
    chart.curves.push_back(times.back());
    DrawnCurve predicted = series(fmt::format("{}, eq. 1", label));
    for (const Bytes block : kMappedBlocks) {
      add_point(predicted, block, closed_form::binomial_scatter(model, places, block));
    }
    chart.curves.push_back(predicted);
  }
  for (std::size_t i = 0; i < times.front().y.size(); ++i) {
    const double ratio = times.back().y[i] / times.front().y[i];
    result.rows.push_back(
        claim_row(fmt::format("slow over fast, {}", format_bytes(static_cast<Bytes>(times.front().x[i]))), "slower",
                  ratio, AxisUnit::kNumber, ratio > 1));
  }
  result.charts.push_back(std::move(chart));
  return result;
}

ExhibitResult scatter_mappings(PaperContext& context) {
  return two_mappings(context, "scatter");
}
ExhibitResult gather_mappings(PaperContext& context) {
  return two_mappings(context, "gather");
}

ExhibitResult single_messages(PaperContext& context) {
  context.tell("simulating what LogGP, PLogP and LMO are estimated from on 16 hosts");
  const SampleSet samples =
      context.simulate(mixed_cluster(), kHosts,
                       {"--sizes", "1:128K:x2", "--reply-sizes", "0,32K", "--overhead-sizes", "1", "--train-sizes",
                        "1,64K", "--adaptive", "64K", "--one-to-two-sizes", "0,32K"});
  const Platform platform = estimate_platform(samples, "mixed16");
  ExhibitResult result{
      .why =
          "The paper draws one pair and prints no number: LogGP and LMO are nearly the same line, and PLogP "
          "follows deviations from it. A simulated message's time is a line, which LogGP and LMO meet. "
          "PLogP's gaps are by saturation: the slowest stage that a message passes, where a single "
          "message passes all."};
  PaperChart chart{.name = "", .title = "a message between hosts 0 and 15", .curves = {series("simulated", true)}};
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip && e.source == 0 && e.target == 15 && e.bytes > 0 &&
        e.reply_bytes == e.bytes) {
      add_point(chart.curves.front(), e.bytes, m.summary.median / 2);
    }
  }
  const std::vector<double> sizes = chart.curves.front().x;
  for (const char* name : {"loggp", "plogp", "lmo"}) {
    const PlatformModel model = model_of_platform(platform, name);
    DrawnCurve predicted = series(name);
    double largest = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Seconds seconds = predict_message(0, 15, static_cast<Bytes>(sizes[i]), model).seconds;
      add_point(predicted, static_cast<Bytes>(sizes[i]), seconds);
      largest = std::max(largest, std::abs(seconds / chart.curves.front().y[i] - 1));
    }
    result.rows.push_back(our_row(fmt::format("{}: largest error", name), largest, AxisUnit::kShare));
    chart.curves.push_back(predicted);
  }
  result.charts.push_back(std::move(chart));
  return result;
}

Exhibit simulated_figure(std::string number, std::string caption, std::vector<std::string> where, Seconds duration,
                         ExhibitResult (*compute)(PaperContext&)) {
  return {.kind = ExhibitKind::kFigure,
          .number = std::move(number),
          .caption = std::move(caption),
          .where = std::move(where),
          .source = ExhibitSource::kSimulated,
          .duration = duration,
          .compute = compute};
}

}  // namespace

Exhibits simulated() {
  const std::string places = "src/papers/lastovetsky/binomial_mapping.cpp#binomial_places";
  return {simulated_figure("2a", "binomial scatter under two mappings", {places}, 10, scatter_mappings),
          simulated_figure("2b", "binomial gather under two mappings", {places}, 10, gather_mappings),
          simulated_figure(
              "4", "a message by LogGP, PLogP and LMO",
              {"src/estimate/models/loggp.cpp", "src/estimate/models/plogp.cpp", "src/estimate/models/lmo.cpp"}, 20,
              single_messages)};
}

}  // namespace postage::lastovetsky_paper
