#include "estimate/data/curves.hpp"
#include "estimate/tau_lop/link.hpp"

#include <postage/estimate/estimator.hpp>

#include <algorithm>

namespace postage::model_estimators {
namespace {

/// One transfer's time, of a message's: less o(m), and less what else the message passes, by their number.
template <typename Else>
ParameterRow row_of(const TauLopData& link, double tau, const ParameterCurve& times, double transfers,
                    const Else& else_of) {
  ParameterRow row{tau, {}};
  for (const ParameterPoint& point : times) {
    const Estimate moving = minus_at_worst(point.estimate, value_at(link.overhead, point.bytes));
    row.curve.push_back({point.bytes, scaled(minus_at_worst(moving, else_of(point.bytes, tau)), 1 / transfers)});
  }
  return row;
}

template <typename Else>
ParameterSurface transfers_of(const TauLopData& link, double transfers, const Else& else_of) {
  ParameterSurface surface{row_of(link, 1, link.times, transfers, else_of)};
  for (const auto& [tau, times] : link.shared_times) {
    ParameterCurve curve;
    for (const auto& [bytes, time] : times) {
      curve.push_back({bytes, time});
    }
    surface.push_back(row_of(link, tau, curve, transfers, else_of));
  }
  return surface;
}

/// False where a transfer would certainly take less than nothing.
bool is_possible(const ParameterSurface& surface) {
  return std::all_of(surface.begin(), surface.end(), [](const ParameterRow& row) {
    return std::all_of(row.curve.begin(), row.curve.end(),
                       [](const ParameterPoint& point) { return point.estimate.upper >= 0; });
  });
}

ParameterSurface at_least_zero(ParameterSurface surface) {
  for (ParameterRow& row : surface) {
    for (ParameterPoint& point : row.curve) {
      point.estimate = postage::at_least_zero(point.estimate);
    }
  }
  return surface;
}

ParameterGroup group_of(const TauLopData& link, double transfers) {
  return {.scope = link.scope->scope,
          .values = {{"n", Estimate::exactly(transfers)}},
          .curves = {{"o", link.overhead}},
          .surfaces = {{"L", at_least_zero(link.transfer)}}};
}

/// A channel through memory: T = o(m) + 2 L(m, tau).
ParameterGroup memory_group(TauLopData& link) {
  link.transfer = transfers_of(link, kThroughMemory, [](Bytes, double) { return Estimate::exactly(0); });
  const std::optional<Bytes> segment = segment_of(link);
  if (segment) {
    cut_at_segment(link, *segment);
  }
  ParameterGroup group = group_of(link, kThroughMemory);
  if (segment) {
    group.values["S"] = Estimate::exactly(static_cast<double>(*segment));
  }
  return group;
}

/// A network: T = o(m) + L0(m, tau) + L1(m, tau) + L0(m, tau), where L0 is the memory's at the ends. Where that memory
/// was not measured, or where its two transfers would take longer than the message, T = o(m) + L1(m, tau).
ParameterGroup network_group(TauLopData& link, const TauLopData* memory) {
  if (memory != nullptr) {
    const ParameterSurface ends = at_least_zero(memory->transfer);
    link.transfer = transfers_of(link, kOverNetwork, [&](Bytes bytes, double tau) {
      return scaled(value_at(ends, bytes, tau), kThroughMemory);
    });
    if (is_possible(link.transfer)) {
      ParameterGroup group = group_of(link, kOverNetwork);
      group.values["n@" + memory->channel] = Estimate::exactly(kThroughMemory);
      return group;
    }
  }
  link.transfer = transfers_of(link, kOverNetwork, [](Bytes, double) { return Estimate::exactly(0); });
  return group_of(link, kOverNetwork);
}

ParameterTable estimate_tau_lop(const CampaignData& campaign) {
  ParameterTable table{.model = "taulop", .groups = {}, .fit = {}};
  std::map<std::string, TauLopData> channels;
  const TauLopData* memory = nullptr;  // the nearest channel within a node
  for (const ScopeData& scope : campaign.scopes) {
    if (one_way_times(scope).empty()) {
      continue;
    }
    TauLopData link = link_of(scope);
    if (scope.scope.is_pair()) {
      share_like_channel(link, channels.at(link.channel));
    } else {
      link.shared_times = times_of_sharing(campaign, link.channel);
    }
    const bool is_network = link.channel == kInterNode;
    table.groups.push_back(is_network ? network_group(link, memory) : memory_group(link));
    if (!scope.scope.is_pair()) {
      const TauLopData& kept = channels[link.channel] = std::move(link);
      memory = memory == nullptr && !is_network ? &kept : memory;
    }
  }
  return table;
}

}  // namespace

Estimator tau_lop() {
  return {"taulop", estimate_tau_lop};
}

}  // namespace postage::model_estimators
