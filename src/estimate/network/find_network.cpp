#include "estimate/network/find_network.hpp"

#include "estimate/data/host_times.hpp"
#include "estimate/network/bandwidths.hpp"
#include "estimate/network/candidates/candidates.hpp"
#include "estimate/network/candidates/clear_groups.hpp"
#include "estimate/network/candidates/conflicts.hpp"
#include "estimate/network/envelope.hpp"
#include "estimate/network/host_classes.hpp"
#include "estimate/network/limits_by_size.hpp"
#include "estimate/network/own_links.hpp"
#include "estimate/network/structure_cost.hpp"

#include <postage/estimate/arithmetic.hpp>
#include <postage/model/model.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace postage {
namespace {

void append_new(std::vector<NetworkStructure> others, std::vector<NetworkStructure>& networks) {
  for (NetworkStructure& network : others) {
    if (std::find(networks.begin(), networks.end(), network) == networks.end()) {
      networks.push_back(std::move(network));
    }
  }
}

/// What latencies show with envelopes of any size: with one, those of slow links can be as large as those of fast ones
/// that are further apart, and hide a network.
std::vector<NetworkStructure> hidden_networks(const CampaignData& campaign) {
  std::vector<NetworkStructure> networks;
  for (int envelope = 0; envelope <= kMostEnvelope; envelope += kEnvelopeStep) {
    append_new(possible_networks(HostDistances(campaign, envelope), !campaign.samples.is_virtual), networks);
  }
  return networks;
}

/// What latencies do not show: slow links that single messages show, those that only messages that share them show, and
/// links side by side.
void append_unseen(const CampaignData& campaign, bool latencies_show_any, std::vector<NetworkStructure>& networks) {
  const bool is_real = !campaign.samples.is_virtual;
  append_new(possible_trees(HostDistances::by_large_messages(campaign), is_real), networks);
  if (is_real || !latencies_show_any) {
    std::vector<NetworkStructure> trees;
    for (const HostPartition& groups : groups_by_conflicts(campaign)) {
      append_trees({groups}, trees);
    }
    append_new(std::move(trees), networks);
  }
  networks.push_back({.rails = 2});
  networks.push_back({.backbone = kUnlimited});
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
    if (!is_between_nodes(group) && !group.scope.is_processor()) {
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
                    const std::vector<NetworkStructure>& networks, const NetworkJudge& judge, const StructureCost& cost,
                    ParameterTable& table) {
  const FittedNetwork found = best_network(networks, judge, nullptr, cost);
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

/// Bytes of the smallest message whose fans judge networks: limits of each range of sizes are as its own fans say,
/// which may be between hosts that share fewer links than those of the largest messages (rails), and are judged later.
Bytes least_of_fans(const CampaignData& campaign, const ParameterTable& table) {
  Bytes least = 0;
  for (const ParameterGroup& group : table.groups) {
    least = is_between_nodes(group) ? std::max(least, group.from_bytes) : least;
  }
  const bool has_fans = std::any_of(
      campaign.samples.measurements.begin(), campaign.samples.measurements.end(), [&](const Measurement& m) {
        return m.experiment.kind == ExperimentKind::kOutcast && m.experiment.channel == kInterNode &&
               m.experiment.bytes >= least && m.summary.count > 0;
      });
  return has_fans ? std::max(least, NetworkJudge::kLargeMessage) : NetworkJudge::kLargeMessage;
}

/// Whether messages share by their latencies, where what the judge knows allows both: outcasts of hosts whose own links
/// carry what their fastest messages do tell it then.
CompetingMessages as_outcasts_say(const CampaignData& campaign, const Platform& platform, const FittedNetwork& found,
                                  const NetworkJudge& judge, const ParameterTable& table) {
  if (found.competing.share_bytes > 0) {
    return found.competing;
  }
  CompetingMessages other = found.competing;
  other.share_exponent = other.share_exponent > 0 ? 0 : 1;
  const auto cost = [&](const CompetingMessages& competing) {
    return judge.cost_of(judge.misses(found.network, competing), 0);
  };
  if (cost(other) > cost(found.competing) + kStrongEvidence) {
    return found.competing;
  }
  const auto misses = [&](const CompetingMessages& competing) {
    ParameterTable corrected = table;
    correct(corrected, competing);
    return misses_of_outcasts(campaign, platform, found.network, corrected);
  };
  return misses(other) < misses(found.competing) ? other : found.competing;
}

/// The network that explains concurrent messages best, and the table corrected by it.
FittedNetwork find_with_own_links(const CampaignData& campaign, const Platform& platform,
                                  const std::vector<NetworkStructure>& networks, const NetworkJudge& judge,
                                  const StructureCost& cost, ParameterTable& table) {
  if (judge.knows_hosts() && judge.has_processors()) {
    find_own_links(campaign, platform, networks, judge, cost, table);
  }
  const Bytes least = least_of_fans(campaign, table);
  const Model model = build_model(table, platform.channels);
  const NetworkJudge with_links(campaign, platform, *model.target<Flow>(), least);
  ParameterTable alone = judge.has_processors() ? with_rates_alone(table, platform, *model.target<Flow>()) : table;
  const Model model_alone = build_model(alone, platform.channels);
  const NetworkJudge of_penalties(campaign, platform, *model_alone.target<Flow>(), least);
  FittedNetwork found = best_network(networks, with_links, &of_penalties, cost);
  bool links_carry_one = found.competing.penalties.any();
  if (!links_carry_one && judge.knows_hosts() && judge.has_processors()) {
    // Hosts' own links were found where messages were taken to share evenly: where they do not, those that are near end
    // sooner, and what a host sends at once seems to be more.
    FittedNetwork other = fit_bandwidths(found.network, of_penalties);
    links_carry_one = other.cost < found.cost - kStrongEvidence;
    if (links_carry_one) {
      other.competing = as_outcasts_say(campaign, platform, other, of_penalties, alone);
      found = std::move(other);
    }
  }
  if (links_carry_one) {
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

/// What is near to what is known, though no link is seen to limit messages. Of real hosts large messages tell it better
/// than latencies, which depend on what else is busy.
std::optional<NetworkStructure> nearness(const CampaignData& campaign, const std::vector<NetworkStructure>& networks,
                                         const HostDistances& by_latencies) {
  if (campaign.samples.is_virtual || campaign.settings.groups) {
    return !networks.empty() && is_tree(networks.front()) ? std::optional(networks.front()) : std::nullopt;
  }
  std::optional<NetworkStructure> groups = clear_groups(HostDistances::by_large_messages(campaign));
  return groups ? groups : clear_groups(by_latencies);
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
  const HostDistances by_latencies(campaign);
  std::vector<NetworkStructure> networks =
      site ? std::vector{*site} : possible_networks(by_latencies, !campaign.samples.is_virtual);
  const Model model = build_model(*table, platform.channels);
  const NetworkJudge judge(campaign, platform, *model.target<Flow>(), least_of_fans(campaign, *table));
  FittedNetwork found;
  if (judge.experiments() > 0) {
    std::vector<NetworkStructure> all = networks.empty() ? hidden_networks(campaign) : networks;
    if (!site) {
      append_unseen(campaign, !networks.empty(), all);
    }
    found = find_with_own_links(campaign, platform, all, judge, {campaign, judge, by_latencies}, *table);
    if (found.network.has_shared_links() || judge.has_processors()) {
      fit_limits_by_size(campaign, platform, found, *table);
    }
    if (const double envelope = fit_envelope(campaign, platform, found, *table); envelope > 0) {
      add_to_platform_group(*table, "e", Estimate::exactly(envelope));
    }
  }
  if (found.network.backbone && !std::isfinite(found.network.backbone->upper)) {
    found.network.backbone.reset();  // which limits nothing
  }
  found.network.half_duplex = found.network.half_duplex && found.network.has_shared_links();
  if (!found.network.has_shared_links()) {
    found.network = nearness(campaign, networks, by_latencies).value_or(std::move(found.network));
  }
  found.network.classes = host_classes(*table, platform);
  platform.network = std::move(found.network);
}

}  // namespace postage
