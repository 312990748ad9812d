#include "estimate/transfer_data.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace postage {
namespace {

/// Transfers of a message through memory: into a shared buffer and out of it; and over a network, between two
/// interfaces.
constexpr double kThroughMemory = 2;
constexpr double kOverNetwork = 1;

/// Segments show where the times of messages that go whole would be larger by this share, and count as found where
/// theirs miss the measured ones by less than that.
constexpr double kSegmentsShow = 0.1;
constexpr double kSegmentsFit = 0.03;

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
      const Estimate step = minus_at_worst(point.estimate, value_at(stepped, point.bytes - 1));
      level = step.value > 0 ? plus_at_worst(level, step) : level;
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
  const std::vector<Bytes> steps = steps_of(scope);
  Link link{.scope = &scope, .channel = scope.channel()};
  link.times = stepped_curve(times, steps);
  link.overhead = overhead_of(times, steps);
  return link;
}

/// Sharing was measured for the channel as a whole: a pair that differs from it keeps its distance whatever tau is.
void share_like_channel(Link& pair, const Link& channel) {
  pair.shared_times = channel.shared_times;
  for (auto& [tau, times] : pair.shared_times) {
    for (auto& [bytes, time] : times) {
      time = plus_at_worst(time, minus_at_worst(value_at(pair.times, bytes), value_at(channel.times, bytes)));
    }
  }
}

/// One transfer's time, of a message's: less o(m), and less what else the message passes, by their number.
template <typename Else>
ParameterRow row_of(const Link& link, double tau, const ParameterCurve& times, double transfers, const Else& else_of) {
  ParameterRow row{tau, {}};
  for (const ParameterPoint& point : times) {
    const Estimate moving = minus_at_worst(point.estimate, value_at(link.overhead, point.bytes));
    row.curve.push_back({point.bytes, scaled(minus_at_worst(moving, else_of(point.bytes, tau)), 1 / transfers)});
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

/// By how much segments of `segment` bytes miss the measured times of messages of several, relative and at worst:
/// T = o(m) + 2 L(S, 1) + (k - 1) L(S, 2) for k of them.
double misfit_of_segments(const Link& link, const std::vector<const ParameterPoint*>& larger, Bytes segment,
                          double alone, double together) {
  double worst = 0;
  for (const ParameterPoint* point : larger) {
    const double segments = static_cast<double>(point->bytes) / static_cast<double>(segment);
    const double time = value_at(link.overhead, point->bytes).value + 2 * alone + (std::ceil(segments) - 1) * together;
    worst = std::max(worst, std::abs(time / point->estimate.value - 1));
  }
  return worst;
}

/// S, where the times show it: from some size on they grow more slowly, and just as they do where two transfers of that
/// size overlap all the time. L(S, 2)/L(S, 1) is taken from the largest size measured up to S.
std::optional<Bytes> segment_of(const Link& link) {
  if (link.transfer.size() < 2 || link.transfer[1].at != 2) {
    return std::nullopt;
  }
  const ParameterCurve& pairs = link.transfer[1].curve;
  const ParameterCurve& single = link.transfer[0].curve;
  std::optional<Bytes> best;
  double best_misfit = kSegmentsFit;
  for (std::size_t i = 2; i + 2 < single.size(); ++i) {
    const Bytes size = single[i].bytes;
    const auto above =
        std::find_if(pairs.begin(), pairs.end(), [&](const ParameterPoint& p) { return p.bytes > size; });
    std::vector<const ParameterPoint*> larger;
    for (const ParameterPoint& point : link.times) {
      if (point.bytes > size && point.bytes % size == 0) {
        larger.push_back(&point);
      }
    }
    if (above == pairs.begin() || larger.size() < 2 || size < 2) {
      continue;
    }
    const ParameterPoint& below = *std::prev(above);
    const double alone = single[i].estimate.value;
    const double alone_below = value_at(single, below.bytes).value;
    const double ratio = alone_below > 0 ? below.estimate.value / alone_below : 0;
    const ParameterCurve until(single.begin(), single.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const Bytes largest = larger.back()->bytes;
    const double straight = 2 * value_at(until, largest).value + value_at(link.overhead, largest).value;
    const double misfit = misfit_of_segments(link, larger, size, alone, alone * ratio);
    const bool overlaps = ratio >= 1 && ratio < 2;
    if (overlaps && straight > (1 + kSegmentsShow) * larger.back()->estimate.value && misfit < best_misfit) {
      best = size;
      best_misfit = misfit;
    }
  }
  return best;
}

/// Up to S the rows stay; L(S, 2) is how much longer each further segment makes a message.
void cut_at_segment(Link& link, Bytes segment) {
  for (ParameterRow& row : link.transfer) {
    std::erase_if(row.curve, [&](const ParameterPoint& point) { return point.bytes > segment; });
  }
  const ParameterPoint& longest = link.times.back();
  const Bytes more = (longest.bytes - 1) / segment;
  const Estimate moving = minus_at_worst(longest.estimate, value_at(link.overhead, longest.bytes));
  const Estimate alone = scaled(value_at(link.transfer.front().curve, segment), kThroughMemory);
  ParameterCurve& together = link.transfer[1].curve;
  std::erase_if(together, [&](const ParameterPoint& point) { return point.bytes == segment; });
  together.push_back({segment, scaled(minus_at_worst(moving, alone), 1 / static_cast<double>(more))});
  std::erase_if(link.transfer, [](const ParameterRow& row) { return row.curve.empty(); });
}

/// A channel through memory: T = o(m) + 2 L(m, tau).
ParameterGroup memory_group(Link& link) {
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
    if (one_way_times(scope).empty()) {
      continue;
    }
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
