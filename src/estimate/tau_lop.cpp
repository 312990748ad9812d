#include "estimate/transfer_data.hpp"

#include <algorithm>

namespace postage {
namespace {

/// Transfers of a message through memory: into a shared buffer and out of it; and over a network, between two
/// interfaces.
constexpr double kThroughMemory = 2;
constexpr double kOverNetwork = 1;

/// A channel, or a pair that differs from its channel, while its parameters are worked out.
struct Link {
  const ScopeData* scope = nullptr;
  std::string channel;
  ParameterCurve times;                        ///< of one message alone
  ParameterCurve overhead;                     ///< o(m)
  std::map<double, TimesBySize> shared_times;  ///< of one of tau messages at once, by tau
  ParameterSurface transfer;                   ///< L(m, tau)
};

/// o(m): all that the smallest message takes, and what every step up adds to it, since a protocol's handshakes move no
/// data. Where larger messages take less, all that they take.
ParameterCurve overhead_of(const TimesBySize& times, const std::vector<Bytes>& steps) {
  const ParameterCurve stepped = stepped_curve(times, steps);
  Estimate level = times.begin()->second;
  ParameterCurve overhead;
  for (const ParameterPoint& point : stepped) {
    if (std::find(steps.begin(), steps.end(), point.bytes) != steps.end()) {
      const Estimate step = difference(point.estimate, value_at(stepped, point.bytes - 1));
      level = step.value > 0 ? sum(level, step) : level;
    }
    overhead.push_back({point.bytes, point.estimate.upper < level.lower ? point.estimate : level});
  }
  return overhead;
}

/// How many messages share a channel in a ring: those of a ring over a network go half one way and half the other.
double concurrency_of_ring(const std::string& channel, std::size_t members) {
  return static_cast<double>(members) / (channel == kInterNode ? 2 : 1);
}

/// Times of one message while tau go over the channel: half a roundtrip of tau pairs, or a ring's exchange.
std::map<double, TimesBySize> times_of_sharing(const CampaignData& campaign, const std::string& channel) {
  std::map<std::pair<double, Bytes>, std::vector<Estimate>> all;
  const auto collect_from = [&](ExperimentKind kind, double share, const auto& concurrency_of) {
    for (const auto& [members, times] : group_times(campaign.samples, kind, channel)) {
      for (const auto& [bytes, time] : times) {
        all[{concurrency_of(members), bytes}].push_back(scaled(time, share));
      }
    }
  };
  collect_from(ExperimentKind::kConcurrentPairs, 0.5,
               [](std::size_t members) { return static_cast<double>(members) / 2; });
  collect_from(ExperimentKind::kRing, 1, [&](std::size_t members) { return concurrency_of_ring(channel, members); });
  std::map<double, TimesBySize> times;
  for (const auto& [key, estimates] : all) {
    if (key.first > 1) {
      times[key.first][key.second] = median_estimate(estimates);
    }
  }
  return times;
}

Link link_of(const ScopeData& scope) {
  const TimesBySize times = one_way_times(scope);
  const std::vector<Bytes> steps = steps_of(times);
  Link link{.scope = &scope, .channel = scope.pairs.front()->channel};
  link.times = stepped_curve(times, steps);
  link.overhead = overhead_of(times, steps);
  return link;
}

/// Sharing was measured for the channel as a whole: a pair that differs from it keeps its distance whatever tau is.
void share_like_channel(Link& pair, const Link& channel) {
  pair.shared_times = channel.shared_times;
  for (auto& [tau, times] : pair.shared_times) {
    for (auto& [bytes, time] : times) {
      time = sum(time, difference(value_at(pair.times, bytes), value_at(channel.times, bytes)));
    }
  }
}

/// One transfer's time, of a message's: less o(m), and less what else the message passes, by their number.
template <typename Else>
ParameterRow row_of(const Link& link, double tau, const ParameterCurve& times, double transfers, const Else& else_of) {
  ParameterRow row{tau, {}};
  for (const ParameterPoint& point : times) {
    const Estimate moving = difference(point.estimate, value_at(link.overhead, point.bytes));
    row.curve.push_back({point.bytes, scaled(difference(moving, else_of(point.bytes, tau)), 1 / transfers)});
  }
  return row;
}

template <typename Else>
ParameterSurface transfers_of(const Link& link, double transfers, const Else& else_of) {
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

ParameterGroup group_of(const Link& link, double transfers) {
  return {.scope = link.scope->scope,
          .values = {{"n", Estimate::exactly(transfers)}},
          .curves = {{"o", link.overhead}},
          .surfaces = {{"L", at_least_zero(link.transfer)}}};
}

/// A channel through memory: T = o(m) + 2 L(m, tau).
ParameterGroup memory_group(Link& link) {
  link.transfer = transfers_of(link, kThroughMemory, [](Bytes, double) { return Estimate::exactly(0); });
  return group_of(link, kThroughMemory);
}

/// A network: T = o(m) + L0(m, tau) + L1(m, tau) + L0(m, tau), where L0 is the memory's at the ends. Where that memory
/// was not measured, or where its two transfers would take longer than the message, T = o(m) + L1(m, tau).
ParameterGroup network_group(Link& link, const Link* memory) {
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

}  // namespace

ParameterTable estimate_tau_lop(const CampaignData& campaign) {
  ParameterTable table{.model = "taulop", .groups = {}, .fit = {}};
  std::map<std::string, Link> channels;
  const Link* memory = nullptr;  // the nearest channel within a node
  for (const ScopeData& scope : campaign.scopes) {
    Link link = link_of(scope);
    if (scope.scope.is_pair()) {
      share_like_channel(link, channels.at(link.channel));
    } else {
      link.shared_times = times_of_sharing(campaign, link.channel);
    }
    const bool is_network = link.channel == kInterNode;
    table.groups.push_back(is_network ? network_group(link, memory) : memory_group(link));
    if (!scope.scope.is_pair()) {
      const Link& kept = channels[link.channel] = std::move(link);
      memory = memory == nullptr && !is_network ? &kept : memory;
    }
  }
  return table;
}

}  // namespace postage
