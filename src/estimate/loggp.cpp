#include "estimate/campaign_data.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// The gap of the smallest train at or above `from`, or else of the largest below: what a train takes between messages
/// beyond the bytes themselves.
Estimate gap_from(const std::map<Bytes, Estimate>& intervals, Bytes from, Bytes before, const Estimate& per_byte) {
  auto train = intervals.lower_bound(std::max<Bytes>(from, 1));
  if (train == intervals.end() || train->first >= before) {
    train = train == intervals.begin() ? train : std::prev(train);
  }
  const double rest = static_cast<double>(std::max<Bytes>(train->first - 1, 0));
  return at_least_zero({train->second.value - rest * per_byte.value, train->second.lower - rest * per_byte.upper,
                        train->second.upper - rest * per_byte.lower});
}

std::vector<ParameterGroup> loggp_groups(const ScopeData& scope) {
  const auto sends = collect(scope, [](const PairData& p) { return p.send_overhead; });
  const auto receives = collect(scope, [](const PairData& p) { return p.receive_overhead; });
  const std::map<Bytes, Estimate> intervals = train_intervals(scope);
  if (sends.empty() || receives.empty() || intervals.empty()) {
    return {};
  }
  const std::vector<LinePiece> lines = fit_pieces(curve_of(scope));
  std::vector<ParameterGroup> groups;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const LinePiece& line = lines[i];
    Estimate send = median_estimate(sends);
    Estimate receive = median_estimate(receives);
    const double whole = line.intercept.value + line.slope.value;  // a message of one byte
    const double overheads = send.value + receive.value;
    if (overheads > whole) {
      send = scaled(send, whole / overheads);
      receive = scaled(receive, whole / overheads);
    }
    const Estimate latency = at_least_zero({whole - send.value - receive.value,
                                            line.intercept.lower + line.slope.lower - send.value - receive.value,
                                            line.intercept.upper + line.slope.upper - send.value - receive.value});
    const Bytes before = i + 1 < lines.size() ? lines[i + 1].from_bytes : std::numeric_limits<Bytes>::max();
    groups.push_back({scope.scope,
                      line.from_bytes,
                      {{"L", latency},
                       {"o_s", send},
                       {"o_r", receive},
                       {"g", gap_from(intervals, line.from_bytes, before, line.slope)},
                       {"G", line.slope}}});
  }
  return groups;
}

}  // namespace

ParameterTable estimate_loggp(const CampaignData& campaign) {
  ParameterTable table{.model = "loggp", .groups = {}, .fit = {}};
  for (const ScopeData& scope : campaign.scopes) {
    const std::vector<ParameterGroup> groups = loggp_groups(scope);
    table.groups.insert(table.groups.end(), groups.begin(), groups.end());
  }
  return table;
}

}  // namespace postage
