#include "estimate/network/find_network.hpp"

#include "estimate/data/host_times.hpp"
#include "estimate/network/bandwidths.hpp"
#include "estimate/network/candidates.hpp"
#include "estimate/network/envelope.hpp"
#include "estimate/network/limits_by_size.hpp"
#include "estimate/network/own_links.hpp"

#include <postage/estimate/arithmetic.hpp>
#include <postage/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace postage {
namespace {

/// Rates that differ by less, as a share, are of one class of hosts.
constexpr double kAlikeRates = 0.02;
/// What small messages keep processors of one class of hosts differs by less.
constexpr double kAlikeOverheads = 0.1;
/// Costs that differ by less are the same.
constexpr double kTie = 0.1;

/// Of the channel, or of a processor, for the largest messages.
const ParameterGroup* last_group(const ParameterTable& table, const ParameterScope& scope) {
  const ParameterGroup* last = nullptr;
  for (const ParameterGroup& group : table.groups) {
    if (group.scope == scope && (last == nullptr || group.from_bytes > last->from_bytes)) {
      last = &group;
    }
  }
  return last;
}

std::optional<Estimate> rate_in(const ParameterGroup* group, const char* symbol) {
  if (group == nullptr) {
    return std::nullopt;
  }
  const auto found = group->values.find(symbol);
  return found == group->values.end() ? std::nullopt : std::optional(found->second);
}

/// What all messages that leave, or enter, a node share: the rate of its ranks, or of itself where it has several.
std::optional<Estimate> rate_of(const ParameterTable& table, const ParameterGroup* own, const char* symbol) {
  const ParameterGroup* channel = last_group(table, {.channel = kInterNode});
  for (const char* one : {"B_node", symbol}) {
    if (const auto rate = rate_in(own, one); rate) {
      return rate;
    }
    if (const auto rate = rate_in(channel, one); rate) {
      return rate;
    }
  }
  return std::nullopt;
}

bool are_alike(const std::optional<Estimate>& a, const std::optional<Estimate>& b, double most) {
  return a.has_value() == b.has_value() && (!a || std::abs(a->value - b->value) <= most * std::max(a->value, b->value));
}

/// What sending and receiving a small message keeps the rank; none where ranks do not differ.
std::optional<Estimate> overhead_of(const ParameterGroup* own) {
  if (own == nullptr) {
    return std::nullopt;
  }
  const auto first = [&](const char* symbol) {
    const auto found = own->curves.find(symbol);
    return found == own->curves.end() || found->second.empty() ? Estimate::exactly(0) : found->second.front().estimate;
  };
  return plus(first("o_s"), first("o_r"));
}

/// By host.
std::map<int, int> first_ranks(const Platform& platform) {
  std::map<int, int> ranks;
  for (std::size_t rank = 0; rank < platform.ranks.size(); ++rank) {
    ranks.try_emplace(platform.ranks[rank].node, static_cast<int>(rank));
  }
  return ranks;
}

/// Hosts by what the model says of their first ranks.
std::vector<HostClass> host_classes(const ParameterTable& table, const Platform& platform) {
  std::vector<HostClass> classes;
  for (const auto& [host, rank] : first_ranks(platform)) {
    const ParameterGroup* own = processor_group(table, rank);
    HostClass alike{{host}, rate_of(table, own, "B_send"), rate_of(table, own, "B_receive"), overhead_of(own)};
    const auto same = std::find_if(classes.begin(), classes.end(), [&](const HostClass& known) {
      return are_alike(known.send, alike.send, kAlikeRates) && are_alike(known.receive, alike.receive, kAlikeRates) &&
             are_alike(known.overhead, alike.overhead, kAlikeOverheads);
    });
    if (same == classes.end()) {
      classes.push_back(std::move(alike));
    } else {
      same->hosts.push_back(host);
    }
  }
  return classes;
}

bool is_tree(const NetworkStructure& network) {
  return !network.torus && std::none_of(network.levels.begin(), network.levels.end(),
                                        [](const GroupLevel& level) { return level.junction == GroupJunction::kMesh; });
}

/// Takes what costs less than any other; a star only where it costs less than those that latencies show. Rails do not
/// show there, and tori and meshes only in part: of these, links must have been seen to limit messages.
void take_if_better(std::optional<FittedNetwork>& best, FittedNetwork fitted) {
  const bool is_shown = fitted.network.rails == 1 && (is_tree(fitted.network) || bandwidths_in(fitted.network) > 0);
  if (!best || fitted.cost < best->cost - kTie ||
      (fitted.cost < best->cost + kTie && !best->network.has_shared_links() && is_shown)) {
    best = std::move(fitted);
  }
}

/// Penalties only where there is a judge of them, and on strong evidence: what a network that is not known yet does to
/// messages, they can explain a little.
FittedNetwork best_network(const std::vector<NetworkStructure>& networks, const NetworkJudge& judge,
                           const NetworkJudge* of_penalties) {
  std::vector<NetworkStructure> all{NetworkStructure{}};
  all.insert(all.end(), networks.begin(), networks.end());
  std::optional<FittedNetwork> sharing;
  std::optional<FittedNetwork> penalised;
  for (const NetworkStructure& network : all) {
    FittedNetwork fitted = fit_bandwidths(network, judge);
    if (of_penalties != nullptr) {
      if (std::optional<FittedNetwork> other = fit_penalties(fitted, judge, *of_penalties); other) {
        take_if_better(penalised, std::move(*other));
      }
    }
    take_if_better(sharing, std::move(fitted));
  }
  return penalised && penalised->cost < sharing->cost - kStrongEvidence ? *penalised : *sharing;
}

/// What latencies show with envelopes of any size: with one, those of slow links can be as large as those of fast ones
/// that are further apart, and hide a network.
std::vector<NetworkStructure> hidden_networks(const CampaignData& campaign) {
  std::vector<NetworkStructure> networks;
  for (int envelope = 0; envelope <= kMostEnvelope; envelope += kEnvelopeStep) {
    for (NetworkStructure& network : possible_networks(HostDistances(campaign, envelope))) {
      if (std::find(networks.begin(), networks.end(), network) == networks.end()) {
        networks.push_back(std::move(network));
      }
    }
  }
  return networks;
}

/// See share_of_slow_hosts.
void slow_down(ParameterTable& table, const NetworkStructure& network) {
  for (const char* symbol : {"B_send", "B_receive", "B_node"}) {
    double fastest = 0;
    for (const ParameterGroup& group : table.groups) {
      const auto found = group.values.find(symbol);
      fastest =
          group.scope.is_processor() && found != group.values.end() ? std::max(fastest, found->second.value) : fastest;
    }
    const double share = fastest > 0 ? share_of_slow_hosts(network, fastest) : 1;
    for (ParameterGroup& group : table.groups) {
      const auto found = group.values.find(symbol);
      if (group.scope.is_processor() && found != group.values.end() && found->second.value < kSlowHost * fastest) {
        found->second = scaled(found->second, share);
      }
    }
  }
}

/// What hosts' own links carry between nodes, and what acknowledgements take of them.
void correct(ParameterTable& table, const CompetingMessages& competing) {
  for (ParameterGroup& group : table.groups) {
    if (group.values.count("x") == 0 && !group.scope.is_processor()) {
      continue;  // within nodes
    }
    for (auto& [symbol, value] : group.values) {
      if (symbol == "B_send" || symbol == "B_node") {
        value = scaled(value, competing.more_sent);
      } else if (symbol == "B_receive") {
        value = scaled(value, competing.more_received);
      } else if (symbol == "x" && competing.reverse_share) {
        value = Estimate::exactly(*competing.reverse_share);
      }
    }
  }
  if (competing.share_exponent > 0) {
    add_to_platform_group(table, "q", Estimate::exactly(competing.share_exponent));
  }
  if (competing.share_bytes > 0) {
    add_to_platform_group(table, "W", Estimate::exactly(competing.share_bytes));
  }
  if (competing.penalties.any()) {
    add_to_platform_group(table, "beta_s", Estimate::exactly(competing.penalties.sending));
    add_to_platform_group(table, "beta_e", Estimate::exactly(competing.penalties.receiving));
    add_to_platform_group(table, "gamma_s", Estimate::exactly(competing.penalties.crossing));
  }
}

/// Gives hosts own links with which what each sent at once took what it took, on the network that explains concurrent
/// messages best without penalties: these would take the place of links that are not known yet.
void find_own_links(const CampaignData& campaign, const Platform& platform,
                    const std::vector<NetworkStructure>& networks, const NetworkJudge& judge, ParameterTable& table) {
  const FittedNetwork found = best_network(networks, judge, nullptr);
  ParameterTable corrected = table;
  correct(corrected, found.competing);
  set_own_rates(table, platform, fit_own_rates(campaign, platform, found.network, corrected));
}

/// The same table with own links of hosts that carry what their fastest messages do: where messages of one host slow
/// one another down, what it sends at once does not show its links.
ParameterTable with_rates_alone(ParameterTable table, const Platform& platform, const Flow& model) {
  OwnRates rates(platform.nodes.size());
  const ChannelMap channels(platform, Mapping::explicit_placements(platform.ranks));
  const std::map<int, int> ranks = first_ranks(platform);
  for (const auto& [host, rank] : ranks) {
    for (const auto& [other_host, other] : ranks) {
      if (other_host == host) {
        continue;
      }
      const FlowLink& link = model.links.at({.source = rank,
                                             .target = other,
                                             .channel = channels.channel_of(rank, other),
                                             .bytes = NetworkJudge::kLargeMessage});
      double& rate = rates[static_cast<std::size_t>(host)];
      rate = link.seconds_per_byte > 0 ? std::max(rate, 1 / link.seconds_per_byte) : rate;
    }
  }
  set_own_rates(table, platform, rates);
  for (ParameterGroup& group : table.groups) {
    const auto send = group.values.find("B_send");
    if (group.scope.is_processor() && send != group.values.end() && group.values.contains("B_receive")) {
      group.values["B_receive"] = send->second;  // what incasts say of it, penalties do
    }
  }
  return table;
}

/// The network that explains concurrent messages best, and the table corrected by it.
FittedNetwork find_with_own_links(const CampaignData& campaign, const Platform& platform,
                                  const std::vector<NetworkStructure>& networks, const NetworkJudge& judge,
                                  ParameterTable& table) {
  if (judge.knows_hosts() && judge.has_processors()) {
    find_own_links(campaign, platform, networks, judge, table);
  }
  const Model model = build_model(table, platform.channels);
  const NetworkJudge with_links(campaign, platform, *model.target<Flow>());
  ParameterTable alone = judge.has_processors() ? with_rates_alone(table, platform, *model.target<Flow>()) : table;
  const Model model_alone = build_model(alone, platform.channels);
  const NetworkJudge of_penalties(campaign, platform, *model_alone.target<Flow>());
  FittedNetwork found = best_network(networks, with_links, &of_penalties);
  if (found.competing.penalties.any()) {
    table = std::move(alone);
  }
  correct(table, found.competing);
  if (!judge.knows_hosts()) {
    slow_down(table, found.network);
  } else if (!found.competing.penalties.any()) {
    set_own_rates(table, platform, fit_own_rates(campaign, platform, found.network, table));
  }
  return found;
}

}  // namespace

void find_network(const CampaignData& campaign, Platform& platform) {
  const auto table = std::find_if(platform.models.begin(), platform.models.end(),
                                  [](const auto& one) { return find_model(one.model).properties.has_flows; });
  if (platform.nodes.size() < 2 || table == platform.models.end()) {
    platform.network = campaign.settings.groups;
    return;
  }
  const std::optional<NetworkStructure>& site = campaign.settings.groups;
  std::vector<NetworkStructure> networks = site ? std::vector{*site} : possible_networks(HostDistances(campaign));
  const Model model = build_model(*table, platform.channels);
  const NetworkJudge judge(campaign, platform, *model.target<Flow>());
  FittedNetwork found;
  if (judge.experiments() > 0) {
    std::vector<NetworkStructure> with_rails = networks.empty() ? hidden_networks(campaign) : networks;
    if (!site) {
      with_rails.push_back({.rails = 2});  // latencies do not tell them
    }
    found = find_with_own_links(campaign, platform, with_rails, judge, *table);
    if (found.network.has_shared_links() || judge.has_processors()) {
      fit_limits_by_size(campaign, platform, found, *table);
    }
    if (const double envelope = fit_envelope(campaign, platform, found, *table); envelope > 0) {
      add_to_platform_group(*table, "e", Estimate::exactly(envelope));
    }
  }
  if (!found.network.has_shared_links() && !networks.empty() && is_tree(networks.front())) {
    found.network = networks.front();  // what is near to what is known, though no link is seen to limit
  }
  found.network.classes = host_classes(*table, platform);
  platform.network = std::move(found.network);
}

}  // namespace postage
