#include "estimate/data/curves.hpp"
#include "estimate/data/host_times.hpp"
#include "estimate/flow/awaited.hpp"
#include "estimate/flow/campaign_fits.hpp"
#include "estimate/flow/copies.hpp"
#include "estimate/flow/fans.hpp"
#include "estimate/flow/sharing.hpp"
#include "estimate/flow/spilling.hpp"

#include <postage/estimate/estimator.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace postage::model_estimators {
namespace {

/// As it is; zero where nothing was measured.
ParameterCurve curve_or_zero(const TimesBySize& times) {
  return times.empty() ? ParameterCurve{{0, Estimate::exactly(0)}} : to_curve(times);
}

/// B_pair: where the receiver's processor copies larger messages, those from one rank to another take turns.
std::optional<double> limit_of_a_pair(const CampaignData& campaign, const ScopeFit& fit, const FlowPiece& piece) {
  const bool in_turn = is_moved_by_processors(campaign, *fit.scope) && !fit.is_eager(piece.from_bytes);
  if (in_turn && piece.per_byte.value > 0) {
    return 1 / piece.per_byte.value;
  }
  return pair_limit(fit, piece);
}

ParameterGroup group_of(const ScopeFit& fit, const FlowPiece& piece, Limits limits, std::optional<double> pair) {
  if (pair && !is_within(limits, "B_node", *pair) && !is_within(limits, "B_send", *pair)) {
    limits["B_pair"] = Estimate::exactly(*pair);
  }
  ParameterGroup group{.scope = fit.scope->scope, .from_bytes = piece.from_bytes, .values = std::move(limits)};
  const FlowProtocols& protocols = fit.protocols;
  if (protocols.rendezvous_above) {
    group.values["S"] = Estimate::exactly(static_cast<double>(std::max<Bytes>(*protocols.rendezvous_above, 0)));
  }
  if (protocols.awaited_from) {
    group.values["E"] = Estimate::exactly(static_cast<double>(*protocols.awaited_from));
  }
  group.values["L"] = piece.latency;
  group.values["G"] = piece.per_byte;
  group.curves["o_s"] = curve_or_zero(protocols.send);
  group.curves["o_r"] = curve_or_zero(protocols.receive);
  return group;
}

void set_curve(ParameterGroup& group, const char* symbol, const ParameterCurve& curve) {
  if (!curve.empty()) {
    group.curves[symbol] = curve;
  }
}

/// R, or r in place of it and of what messages share that enter a rank.
void set_taking_in(ParameterGroup& group, double in_turn, const TimesBySize& further) {
  group.values["R"] = Estimate::exactly(in_turn);
  if (!further.empty()) {
    group.curves["r"] = to_curve(further);
    group.values.erase("B_receive");
  }
}

/// g, in place of rates that only shorter messages have together.
void set_releases(ParameterGroup& group, const std::optional<Releases>& releases) {
  if (!releases) {
    return;
  }
  group.values["g"] = Estimate::exactly(releases->gap);
  if (const auto rate = group.values.find("B_send"); rate != group.values.end()) {
    rate->second = Estimate::exactly(std::max(rate->second.value, releases->bytes_per_second));
  }
}

std::vector<ParameterGroup> groups_of(const CampaignData& campaign, const ScopeFit& fit,
                                      const ChannelSharing& sharing) {
  std::vector<ParameterGroup> groups;
  const std::array<ParameterCurve, 2> written{written_times(fit, false), written_times(fit, true)};
  const ParameterCurve handshakes = handshake_times(fit);
  const ParameterCurve written_handshakes = written_handshake_times(fit);
  const std::optional<FetchedMessages> fetched = fetched_messages(campaign, fit);
  const TimesBySize further = further_times(campaign, fit);
  const std::optional<Releases> releases = fetched ? releases_of(campaign, fit, fetched->from) : std::nullopt;
  const ParameterCurve overwriting = overwriting_times(campaign, fit);
  const TimesBySize eager_unawaited = unawaited_times(campaign, fit, true);
  const ParameterCurve acknowledged = fit.acknowledged.empty() ? ParameterCurve{} : to_curve(fit.acknowledged);
  const ParameterCurve crossings = fetched ? crossing_times(campaign, fit, *fetched) : ParameterCurve{};
  const std::map<Bytes, bool> order = order_of_trains(fit);
  const ParameterCurve spilled = fetched ? spilled_times(fit, *fetched) : ParameterCurve{};
  for (std::size_t i = 0; fit.is_known() && i < fit.pieces.size(); ++i) {
    const FlowPiece& piece = fit.pieces[i];
    const SizeRange range = fit.range_of(i);
    const double alone = piece.per_byte.value > 0 ? 1 / piece.per_byte.value : std::numeric_limits<double>::infinity();
    ParameterGroup& group = groups.emplace_back(
        group_of(fit, piece, sharing.limits_at(range, alone), limit_of_a_pair(campaign, fit, piece)));
    if (const double scatter = fit.scatter_in(range); scatter > 0) {
      group.values["v"] = Estimate::exactly(scatter);
    }
    const bool is_fetched = fetched && piece.from_bytes >= fetched->from;
    if (is_fetched || (!further.empty() && !fit.is_eager(piece.from_bytes))) {
      set_taking_in(group, fetched ? fetched->in_turn : 1, further);
    }
    if (is_fetched) {
      if (fetched->drains) {
        group.values["D"] = Estimate::exactly(1);
      }
      set_curve(group, "y", crossings);
      set_curve(group, "b", spilled);
      set_releases(group, releases);
    }
    if (moves_in_order(order, range)) {
      group.values["F"] = Estimate::exactly(1);
    }
    set_curve(group, "w", written[fit.is_eager(piece.from_bytes) ? 1 : 0]);
    set_curve(group, "h", handshakes);
    set_curve(group, "d", written_handshakes);
    set_curve(group, "u", overwriting);
    const TimesBySize& unawaited = fit.is_eager(piece.from_bytes) ? eager_unawaited : fit.unawaited;
    set_curve(group, "z", unawaited.empty() ? ParameterCurve{} : to_curve(unawaited));
    set_curve(group, "a", acknowledged);
  }
  return groups;
}

TimesBySize up_to(TimesBySize times, double largest) {
  std::erase_if(times, [&](const auto& entry) { return static_cast<double>(entry.first) > largest; });
  return times;
}

/// What a late receive takes, of messages that are not awaited; of those that are, what the line through these says
/// where the channel's have it, else nothing.
TimesBySize receives_of(TimesBySize times, double awaited_from, const FlowProtocols& of_channel) {
  const bool is_complete = times.empty() || !(static_cast<double>(times.rbegin()->first) >= awaited_from);
  if (is_complete && !of_channel.receives_when_awaited) {
    return times;
  }
  times = up_to(std::move(times), awaited_from - 1);
  const auto limit = static_cast<Bytes>(awaited_from);
  if (of_channel.receives_when_awaited) {
    times.merge(along_line(times, limit, of_channel.receive.rbegin()->first));
  } else if (!times.empty()) {
    times[limit - 1] = std::prev(times.end())->second;
    times[limit] = Estimate::exactly(0);
  }
  return times;
}

/// False where too few repetitions give any overhead an interval: what ranks differ by is chance then.
bool can_tell_processors_apart(const CampaignData& campaign) {
  const auto tells = [](const TimesBySize& times) {
    return std::any_of(times.begin(), times.end(), [](const auto& entry) { return has_interval(entry.second); });
  };
  return campaign.samples.is_virtual ||
         std::any_of(campaign.overheads.begin(), campaign.overheads.end(),
                     [&](const auto& entry) { return tells(entry.second.send) || tells(entry.second.receive); });
}

/// Each rank's own overheads, where pairs differ: at sizes that keep no sender. Of messages between nodes where ranks
/// share these: within one, pairs' own are exact. With what its node can carry.
void append_processors(const CampaignData& campaign, const CampaignFits& fits,
                       const std::map<std::string, ChannelSharing>& sharing, ParameterTable& table) {
  for (const auto& [key, overheads] : campaign.overheads) {
    // Ranks of one real node differ by less than their pairs' times scatter.
    const bool is_only_channel =
        campaign.channels.size() == 1 && (campaign.samples.is_virtual || key.first == kInterNode);
    if (!is_only_channel && key.first != kInterNode) {
      continue;
    }
    ParameterGroup& group = table.groups.emplace_back();
    group.scope.processor = key.second;
    group.scope.channel = is_only_channel ? "" : key.first;
    const auto channel = std::find_if(
        table.groups.begin(), table.groups.end(),
        [&name = key.first](const ParameterGroup& g) { return g.scope.channel == name && !g.scope.is_processor(); });
    group.values = sharing.at(key.first).limits_of(campaign.samples.ranks[static_cast<std::size_t>(key.second)].node);
    const auto largest = [&](const char* symbol, double usual) {
      const auto found = channel->values.find(symbol);
      return found == channel->values.end() ? usual : found->second.value;
    };
    const double eager = largest("S", std::numeric_limits<double>::infinity());
    group.curves["o_s"] = curve_or_zero(up_to(overheads.send, eager));
    group.curves["o_r"] = curve_or_zero(receives_of(up_to(overheads.receive, eager), largest("E", eager + 1),
                                                    fits.by_channel.at(key.first).front()->protocols));
  }
}

/// t_x, t_0, t_p, t_b, t_a and c, as far as they were measured and take time.
void add_host_overheads(const CampaignData& campaign, const CampaignFits& fits, ParameterTable& table) {
  if (fits.exchange.size() > 1) {
    platform_group(table).curves["t_x"] = to_curve(fits.exchange);
  } else if (!fits.exchange.empty() && fits.exchange.begin()->second.value > 0) {
    add_to_platform_group(table, "t_x", fits.exchange.begin()->second);
  }
  if (fits.start > 0) {
    add_to_platform_group(table, "t_0", Estimate::exactly(fits.start));
  }
  if (const auto program = program_time(campaign.samples); program && program->value > 0) {
    add_to_platform_group(table, "t_p", *program);
  }
  if (fits.simultaneous_start > 0) {
    add_to_platform_group(table, "t_b", Estimate::exactly(fits.simultaneous_start));
  }
  if (fits.first_response > 0) {
    add_to_platform_group(table, "t_a", Estimate::exactly(fits.first_response));
  }
  if (const TimesBySize copies = copying_times(campaign.samples); !copies.empty()) {
    platform_group(table).curves["c"] = to_curve(copies);
  }
}

ParameterTable estimate_flow(const CampaignData& campaign) {
  ParameterTable table{.model = "flow", .groups = {}, .fit = {}};
  const CampaignFits fits(campaign);
  std::map<std::string, ChannelSharing> sharing;
  for (const auto& [channel, list] : fits.by_channel) {
    sharing.emplace(channel, ChannelSharing(campaign, list, channel));
  }
  for (const ScopeFit& fit : fits.all) {
    const std::vector<ParameterGroup> groups = groups_of(campaign, fit, sharing.at(fit.scope->channel()));
    table.groups.insert(table.groups.end(), groups.begin(), groups.end());
  }
  const bool has_pairs = std::any_of(table.groups.begin(), table.groups.end(),
                                     [](const ParameterGroup& group) { return group.scope.is_pair(); });
  if (has_pairs && can_tell_processors_apart(campaign)) {
    append_processors(campaign, fits, sharing, table);
  }
  add_host_overheads(campaign, fits, table);
  return table;
}

}  // namespace

Estimator flow() {
  return {"flow", estimate_flow};
}

}  // namespace postage::model_estimators
