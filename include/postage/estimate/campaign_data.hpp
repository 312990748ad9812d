#pragma once

#include <postage/estimate/arithmetic.hpp>
#include <postage/estimate/estimate.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// What a message of some size takes.
using TimesBySize = std::map<Bytes, Estimate>;

/// What was measured between two ranks, in whichever direction.
struct PairData {
  int first = 0;
  int second = 0;
  std::string channel;
  std::map<Bytes, MeasuredPoint> curve;              ///< half of roundtrips with equal replies
  std::map<int, TimesBySize> send_overhead;          ///< by the rank that sends
  std::map<int, TimesBySize> receive_overhead;       ///< by the rank that receives what is there already
  std::map<std::pair<Bytes, int>, Estimate> trains;  ///< by size and number of messages, without delay
  std::vector<const Measurement*> measurements;      ///< everything between the two
};

/// Several pairs' measurements as one: medians over the pairs of what each gave.
struct ScopeData {
  ParameterScope scope;
  /// Of a channel of which few pairs were measured, each as often as pairs are like it.
  std::vector<const PairData*> pairs;
  std::vector<LinePiece> lines;  ///< of half a roundtrip (see fit_pieces)

  [[nodiscard]] const std::string& channel() const { return pairs.front()->channel; }
};

/// What messages over one channel keep one rank: median over the pairs in which it was measured.
struct RankOverheads {
  TimesBySize send;
  TimesBySize receive;
};

/// A campaign as estimators look at it. Holds pointers into `samples` and into itself: neither copied nor moved.
struct CampaignData {
  /// Without what was measured between two ranks at the sizes `left_out`. The structure is found from the samples'
  /// probes where it is not `known`.
  explicit CampaignData(const SampleSet& samples, const EstimateSettings& settings = {},
                        const std::set<Bytes>& left_out = {}, std::shared_ptr<const PairStructure> known = nullptr);
  CampaignData(const CampaignData&) = delete;
  CampaignData& operator=(const CampaignData&) = delete;

  const SampleSet& samples;
  const EstimateSettings settings;
  /// Which pairs are alike, of all pairs; empty where all were measured.
  std::shared_ptr<const PairStructure> structure;
  std::vector<PairData> pairs;        ///< those with roundtrips of bytes, in order of ranks
  std::vector<PairData> reply_pairs;  ///< those with only empty ones, or empty replies
  std::vector<std::string> channels;  ///< from near to far
  std::vector<ScopeData> scopes;      ///< every channel; then every pair of the channels whose pairs differ
  std::map<std::pair<std::string, int>, RankOverheads> overheads;  ///< by channel and rank
};

/// Half of the pair's roundtrips with equal replies.
[[nodiscard]] std::vector<CurvePoint> curve_of(const PairData& pair);
/// Median over the scope's pairs at each size.
[[nodiscard]] std::vector<CurvePoint> curve_of(const ScopeData& scope);
/// Time from one message of a train to the next, by size: (T(n) - T(1))/(n - 1).
[[nodiscard]] TimesBySize train_intervals(const ScopeData& scope);
/// Roundtrips with empty replies, median over the pairs.
[[nodiscard]] TimesBySize reply_roundtrips(const ScopeData& scope);
/// Overheads belong to processors, and campaigns measure each pair in one direction. So a pair's are the mean of those
/// of its two ranks, which makes them right on average over both directions, and their sum with the latency right in
/// either; a channel's are the median over its ranks.
[[nodiscard]] RankOverheads overheads_of(const CampaignData& campaign, const ScopeData& scope);

}  // namespace postage
