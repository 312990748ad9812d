#include "estimate/cross_validation.hpp"
#include "estimate/data/host_times.hpp"
#include "estimate/data/pair_classes.hpp"
#include "estimate/estimators.hpp"
#include "estimate/network/find_network.hpp"
#include "estimate/rounding.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/arithmetic.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace postage {
namespace {

/// Why a table is no model; empty where it is one.
std::string flaw_of(const ParameterTable& table, std::span<const std::string> channels) {
  for (const ParameterGroup& group : table.groups) {
    for (const auto& [symbol, estimate] : estimates_of(group)) {
      if (!std::isfinite(estimate.value) || std::isnan(estimate.lower) || std::isnan(estimate.upper)) {
        return fmt::format("its {} for {} is no number", symbol, describe(group.scope));
      }
    }
  }
  try {
    static_cast<void>(build_model(table, channels));
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Points of so many are enough to look at; of more, those of some pairs of each class, or channel.
constexpr std::size_t kMostPoints = 2000;
constexpr std::size_t kPairsOfAClass = 8;

/// The pairs whose points a platform keeps.
std::set<const PairData*> shown_pairs(const CampaignData& campaign) {
  std::size_t points = 0;
  for (const PairData& pair : campaign.pairs) {
    points += pair.curve.size();
  }
  std::set<const PairData*> shown;
  for (const ScopeData& scope : campaign.scopes) {
    const std::size_t count = points <= kMostPoints ? scope.pairs.size() : std::min(scope.pairs.size(), kPairsOfAClass);
    shown.insert(scope.pairs.begin(), scope.pairs.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return shown;
}

/// Half of the roundtrips of pairs that were only probed, as far as there is room: they say how well the parameters of
/// other pairs hold for these, and which hosts stand out.
void append_probes(const CampaignData& campaign, Platform& platform) {
  const PairProbes& probes = campaign.samples.pair_probes;
  if (platform.points.size() + probes.pairs.size() * probes.sizes.size() > kMostPoints) {
    return;
  }
  std::set<RankPair> measured;
  for (const PairData& pair : campaign.pairs) {
    measured.insert({pair.first, pair.second});
  }
  for (const PairProbe& probe : probes.pairs) {
    const auto [a, b] = probe.ranks;
    const std::string channel = channel_of(platform.nodes, platform.ranks[static_cast<std::size_t>(a)],
                                           platform.ranks[static_cast<std::size_t>(b)]);
    const bool is_known =
        std::find(platform.channels.begin(), platform.channels.end(), channel) != platform.channels.end();
    for (std::size_t i = 0; i < probes.sizes.size() && is_known && !measured.contains(probe.ranks); ++i) {
      platform.points.push_back({a, b, channel, probes.sizes[i], scaled(probe.times[i], 0.5), 0, true});
    }
  }
}

/// All of the platform but its models.
Platform platform_without_models(const CampaignData& campaign, const std::string& name) {
  const SampleSet& samples = campaign.samples;
  Platform platform{.name = name,
                    .implementation = samples.implementation,
                    .created = samples.created,
                    .is_virtual = samples.is_virtual,
                    .channels = campaign.channels,
                    .nodes = samples.nodes,
                    .ranks = samples.ranks,
                    .shm_protocols = samples.shm_protocols};
  const std::set<const PairData*> shown = shown_pairs(campaign);
  for (const PairData& pair : campaign.pairs) {
    for (const auto& [bytes, point] : shown.contains(&pair) ? pair.curve : decltype(pair.curve){}) {
      platform.points.push_back(point);
    }
  }
  append_probes(campaign, platform);
  return platform;
}

/// Where the model has none of its own.
void add_gamma(ParameterTable& table, const std::optional<Estimate>& gamma) {
  const bool has_gamma = std::any_of(table.groups.begin(), table.groups.end(),
                                     [](const ParameterGroup& group) { return group.values.count("gamma") > 0; });
  if (gamma && !has_gamma) {
    add_to_platform_group(table, "gamma", *gamma);
  }
}

}  // namespace

Platform estimate_platform(const SampleSet& samples, const std::string& name, const EstimateSettings& settings,
                           std::vector<std::string>* left_out) {
  const CampaignData campaign(samples, settings);
  if (campaign.pairs.empty()) {
    throw Error("there are no roundtrips among the samples to estimate parameters from");
  }
  Platform platform = platform_without_models(campaign, name);
  const CrossValidation validation(campaign, platform);
  const std::optional<Estimate> gamma = combining_time(samples);
  for (const Estimator& estimator : estimators()) {
    ParameterTable table = estimator.estimate(campaign);
    if (table.groups.empty()) {
      continue;
    }
    if (const std::string flaw = flaw_of(table, platform.channels); flaw.empty()) {
      add_classes(campaign, table);
      table.fit = validation.quality(table, estimator);
      add_gamma(table, gamma);
      platform.models.push_back(std::move(table));
    } else if (left_out != nullptr) {
      left_out->push_back(fmt::format("left out {}, for which the samples are too few: {}", table.model, flaw));
    }
  }
  round_estimates(platform);
  find_network(campaign, platform);
  return platform;
}

}  // namespace postage
