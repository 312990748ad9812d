#include "estimate/campaign_data.hpp"
#include "estimate/fit_judge.hpp"
#include "estimate/reduction.hpp"
#include "model/group_reader.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace postage {
namespace {

struct Estimator {
  const char* model;
  ParameterTable (*estimate)(const CampaignData&);
};

constexpr std::array kEstimators{
    Estimator{"hockney", estimate_hockney},
    Estimator{"logp", estimate_logp},
    Estimator{"loggp", estimate_loggp},
    Estimator{"loggps", estimate_loggps},
    Estimator{"loggph", estimate_loggph},
    Estimator{"loggpc", estimate_loggpc},
    Estimator{"lopc", estimate_lopc},
    Estimator{"plogp", estimate_plogp},
    Estimator{"plogp-cell", estimate_cell_plogp},
    Estimator{"lmo", estimate_lmo},
    Estimator{"lognp", estimate_log_np},
    Estimator{"log3p", estimate_log_3p},
    Estimator{"mlognp", estimate_mlog_np},
    Estimator{"2log23p", estimate_two_log},
    Estimator{"taulop", estimate_tau_lop},
    Estimator{"flow", estimate_flow},
};

/// Throws UsageError listing the valid names.
template <typename Method, std::size_t count>
Method parse_method(std::string_view name, const char* what,
                    const std::array<std::pair<std::string_view, Method>, count>& valid) {
  std::string names;
  for (const auto& [known, method] : valid) {
    if (known == name) {
      return method;
    }
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(unknown_name(what, std::string(name), names));
}

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

}  // namespace

OverheadMethod parse_overhead_method(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, OverheadMethod>, 2> valid{
      {{"classical", OverheadMethod::kClassical}, {"trains", OverheadMethod::kTrains}}};
  return parse_method(name, "way to find overheads", valid);
}

GapMethod parse_gap_method(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, GapMethod>, 2> valid{
      {{"direct", GapMethod::kDirect}, {"indirect", GapMethod::kIndirect}}};
  return parse_method(name, "way to find gaps", valid);
}

std::vector<std::string> estimated_models() {
  std::vector<std::string> names;
  for (const Estimator& estimator : kEstimators) {
    names.emplace_back(estimator.model);
  }
  return names;
}

Platform estimate_platform(const SampleSet& samples, const std::string& name, const EstimateSettings& settings,
                           std::vector<std::string>* left_out) {
  const CampaignData campaign(samples, settings);
  if (campaign.pairs.empty()) {
    throw Error("there are no roundtrips among the samples to estimate parameters from");
  }
  Platform platform{.name = name,
                    .implementation = samples.implementation,
                    .created = samples.created,
                    .is_virtual = samples.is_virtual,
                    .channels = campaign.channels,
                    .nodes = samples.nodes,
                    .ranks = samples.ranks,
                    .channel_thresholds = samples.channel_thresholds};
  for (const PairData& pair : campaign.pairs) {
    for (const auto& [bytes, point] : pair.curve) {
      platform.points.push_back(point);
    }
  }
  const FitJudge judge(campaign, platform);
  const std::optional<Estimate> gamma = combining_time(samples);
  for (const Estimator& estimator : kEstimators) {
    ParameterTable table = estimator.estimate(campaign);
    if (table.groups.empty()) {
      continue;
    }
    if (const std::string flaw = flaw_of(table, platform.channels); !flaw.empty()) {
      if (left_out != nullptr) {
        left_out->push_back(fmt::format("left out {}, for which the samples are too few: {}", table.model, flaw));
      }
    } else {
      table.fit = judge.quality(table, estimator.estimate);
      const bool has_gamma = std::any_of(table.groups.begin(), table.groups.end(),
                                         [](const ParameterGroup& group) { return group.values.count("gamma") > 0; });
      if (gamma && !has_gamma) {
        add_to_platform_group(table, "gamma", *gamma);
      }
      platform.models.push_back(std::move(table));
    }
  }
  return platform;
}

}  // namespace postage
