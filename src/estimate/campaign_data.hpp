#pragma once

#include <postage/estimate/estimate.hpp>

#include <map>
#include <utility>

namespace postage {

/// Scales value and interval.
[[nodiscard]] Estimate scaled(const Estimate& e, double factor);
[[nodiscard]] Estimate at_least_zero(const Estimate& e);
/// The measurement's median and its interval, times `factor`.
[[nodiscard]] Estimate estimate_of(const Measurement& measurement, double factor = 1);
/// Medians of the values, of the lower and of the upper ends. Requires at least one.
[[nodiscard]] Estimate median_estimate(const std::vector<Estimate>& estimates);

/// What was measured between two ranks, in whichever direction.
struct PairData {
  int first = 0;
  int second = 0;
  std::string channel;
  std::map<Bytes, MeasuredPoint> curve;              ///< half of roundtrips with equal replies
  std::vector<Estimate> send_overhead;               ///< of a small message
  std::vector<Estimate> receive_overhead;            ///< of a small message that is there already
  std::map<std::pair<Bytes, int>, Estimate> trains;  ///< by size and number of messages, without delay
  std::vector<const Measurement*> measurements;      ///< everything between the two
};

/// Several pairs' measurements as one: medians over the pairs of what each gave.
struct ScopeData {
  ParameterScope scope;
  std::vector<const PairData*> pairs;
};

/// A campaign as estimators look at it. Holds pointers into `samples` and into itself: neither copied nor moved.
struct CampaignData {
  explicit CampaignData(const SampleSet& samples);
  CampaignData(const CampaignData&) = delete;
  CampaignData& operator=(const CampaignData&) = delete;

  const SampleSet& samples;
  std::vector<PairData> pairs;        ///< those with roundtrips, in order of ranks
  std::vector<std::string> channels;  ///< from near to far
  std::vector<ScopeData> scopes;      ///< every channel; then every pair of the channels whose pairs differ
};

/// Median over the scope's pairs at each size.
[[nodiscard]] std::vector<CurvePoint> curve_of(const ScopeData& scope);
/// Time from one message of a train to the next, by size: (T(n) - T(1))/(n - 1).
[[nodiscard]] std::map<Bytes, Estimate> train_intervals(const ScopeData& scope);

template <typename Select>
[[nodiscard]] std::vector<Estimate> collect(const ScopeData& scope, const Select& select) {
  std::vector<Estimate> all;
  for (const PairData* pair : scope.pairs) {
    const std::vector<Estimate> own = select(*pair);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

/// One table each, without fit; without groups where the samples do not hold what the model needs.
[[nodiscard]] ParameterTable estimate_hockney(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_loggp(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_cell_plogp(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_log_np(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_log_3p(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_mlog_np(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_two_log(const CampaignData& campaign);
[[nodiscard]] ParameterTable estimate_tau_lop(const CampaignData& campaign);

}  // namespace postage
