#include "tuning/watch/layers.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/watch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace postage {
namespace {

/// A change of fewer deviations of the baseline's own runs is none.
constexpr double kDeviations = 3;

constexpr const char* kSizes = "0,8,64,512,1K,2K,4K,8K,16K,32K,64K,128K,256K,1M,4M";
constexpr const char* kCollectives[] = {"bcast", "reduce", "allreduce", "allgather", "alltoall"};
constexpr const char* kCollectiveSizes[] = {"8", "64", "512", "16K", "64K", "256K"};

/// A layer of one kind at one place.
using LayerKey = std::pair<Layer, std::string>;
using LayerChanges = std::map<LayerKey, LayerChange>;

/// The messages' worst change, which collectives feel, too.
double worst_of_messages(const LayerChanges& layers) {
  double worst = 0;
  for (const auto& [key, change] : layers) {
    worst = std::max(worst, change.change);
  }
  return worst;
}

void add(LayerChanges& layers, Layer layer, const std::string& where, LayerChange change) {
  if (change.experiments > 0) {
    layers[{layer, where}] = change;
  }
}

/// What messages of both kinds of sizes change by is not the protocol's.
LayerChange beyond(LayerChange change, double others) {
  change.change = others > 0 ? std::max(change.change - others, std::min(change.change, 0.0)) : change.change;
  return change;
}

LayerChanges layers_of(const ChangesByPlace& changes) {
  LayerChanges layers;
  for (const auto& [channel, by_size] : changes.messages) {
    const LayerChange latency = latency_change(by_size);
    const LayerChange rate = rate_change(by_size);
    add(layers, Layer::kLatency, channel, latency);
    add(layers, Layer::kRate, channel, rate);
    add(layers, Layer::kProtocol, channel, beyond(protocol_change(by_size), std::max(latency.change, rate.change)));
  }
  const double messages = worst_of_messages(layers);
  for (const auto& [collective, by_size] : changes.collectives) {
    add(layers, Layer::kAlgorithm, collective + ", small", beyond(small_change(by_size), messages));
    add(layers, Layer::kAlgorithm, collective + ", large", beyond(large_change(by_size), messages));
  }
  return layers;
}

/// What the median of absolute normal deviations is to be multiplied by for their standard deviation.
constexpr double kNormal = 1.4826;

std::vector<SampleSet> all_but(const Baseline& baseline, std::size_t left_out) {
  std::vector<SampleSet> others = baseline.runs;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
  return others;
}

/// How far each of the baseline's runs is from the others, by layer; one that was disturbed does not count. A few runs
/// say it badly, so that half of it is what most layers scatter by.
std::map<LayerKey, double> spreads_of(const Baseline& baseline) {
  std::map<LayerKey, std::vector<double>> changes;
  for (std::size_t i = 0; i < baseline.runs.size() && baseline.runs.size() > 1; ++i) {
    const SampleSet& run = baseline.runs[i];
    for (const auto& [key, change] :
         layers_of(changes_between(medians_of(all_but(baseline, i)), medians_of({&run, 1}), run))) {
      changes[key].push_back(std::abs(change.change));
    }
  }
  std::map<LayerKey, double> spreads;
  std::vector<double> all;
  for (const auto& [key, values] : changes) {
    spreads[key] = kNormal * median(values);
    all.push_back(spreads[key]);
  }
  for (auto& [key, spread] : spreads) {
    spread = std::max(spread, median(all));
  }
  return spreads;
}

void add_placement(const SampleSet& before, const SampleSet& now, std::vector<LayerState>& states) {
  std::size_t moved = 0;
  for (std::size_t rank = 0; rank < before.ranks.size(); ++rank) {
    moved += before.ranks[rank] == now.ranks[rank] ? 0 : 1;
  }
  if (moved > 0) {
    states.push_back({.layer = Layer::kPlacement,
                      .where = fmt::format("{} of {} ranks are on another core or host", moved, before.ranks.size())});
  }
  for (std::size_t node = 0; node < std::min(before.nodes.size(), now.nodes.size()); ++node) {
    const std::size_t then = before.nodes[node].topology.cores.size();
    const std::size_t cores = now.nodes[node].topology.cores.size();
    if (then != cores) {
      states.push_back({.layer = Layer::kPlacement,
                        .where = fmt::format("{} has {} cores, {} had {}", now.nodes[node].name, cores,
                                             before.nodes[node].name, then)});
    }
  }
}

LayerState state_of(const LayerKey& key, const LayerChange& change, double spread, double tolerance) {
  const double limit = std::max(std::log1p(tolerance), kDeviations * spread);
  return {.layer = key.first,
          .where = key.second,
          .experiments = change.experiments,
          .factor = std::exp(change.change),
          .spread = spread,
          .slower = change.change > limit,
          .faster = change.change < -limit};
}

}  // namespace

std::string_view name_of(Layer layer) {
  switch (layer) {
    case Layer::kPlacement:
      return "placement";
    case Layer::kLatency:
      return "latency";
    case Layer::kProtocol:
      return "eager limit";
    case Layer::kRate:
      return "rate";
    case Layer::kAlgorithm:
      return "algorithm";
  }
  return "";
}

std::vector<std::string> watch_experiments() {
  std::vector<std::string> words{"--sizes",          kSizes, "--train-sizes", "none",
                                 "--overhead-sizes", "none", "--collective",  "barrier:library:0"};
  for (const char* collective : kCollectives) {
    for (const char* size : kCollectiveSizes) {
      words.insert(words.end(), {"--collective", fmt::format("{}:library:{}", collective, size)});
    }
  }
  return words;
}

Watch::Watch(Baseline baseline, double tolerance)
    : baseline_(std::move(baseline)),
      tolerance_(tolerance),
      medians_(medians_of(baseline_.runs)),
      spreads_(spreads_of(baseline_)) {}

std::vector<LayerState> Watch::compare(std::span<const SampleSet> runs) const {
  const SampleSet& first = baseline_.runs.front();
  for (const SampleSet& run : runs) {
    if (run.ranks.size() != first.ranks.size()) {
      throw Error(fmt::format("the baseline has {} ranks, but {} were measured; give -n {}", first.ranks.size(),
                              run.ranks.size(), first.ranks.size()));
    }
  }
  std::vector<LayerState> states;
  for (const auto& [key, change] : layers_of(changes_between(medians_, medians_of(runs), runs.front()))) {
    const auto spread = spreads_.find(key);
    states.push_back(state_of(key, change, spread == spreads_.end() ? 0 : spread->second, tolerance_));
  }
  std::stable_sort(states.begin(), states.end(),
                   [](const LayerState& a, const LayerState& b) { return a.factor > b.factor; });
  std::vector<LayerState> all;
  add_placement(first, runs.front(), all);
  all.insert(all.end(), states.begin(), states.end());
  return all;
}

bool is_suspicious(const std::vector<LayerState>& layers, double tolerance) {
  return std::any_of(layers.begin(), layers.end(), [&](const LayerState& state) {
    return state.layer != Layer::kPlacement && std::log(state.factor) > kSuspicious * std::log1p(tolerance);
  });
}

Json to_json(const LayerState& state) {
  return Json{{"layer", name_of(state.layer)}, {"where", state.where},   {"experiments", state.experiments},
              {"factor", state.factor},        {"spread", state.spread}, {"slower", state.slower},
              {"faster", state.faster}};
}

}  // namespace postage
