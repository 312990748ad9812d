#include "estimate/flow/sharing.hpp"

#include "estimate/flow/copies.hpp"
#include "estimate/network/host_distances.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <vector>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Acknowledgements that take less of the opposite direction do not count.
constexpr double kLeastReverseShare = 0.005;
/// Of a link that carries one direction at a time both messages of an exchange together take twice as long as one.
constexpr double kMostReverseShare = 1.02;
/// Uneven shares make an outcast look faster by less; what is faster by more did not cross what the even one shared.
constexpr double kMostUneven = 1.5;

/// What exchanges of the largest messages take longer than one of them alone: those of the first two ranks or, on real
/// machines, where processors that are busy with both directions make most of it, the least of any, if it is less than
/// one message takes.
double reverse_share(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel) {
  std::vector<double> shares;
  Bytes largest = 0;
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind != Kind::kButterfly || e.channel != channel || e.members.size() != 2 || e.bytes < largest) {
      continue;
    }
    if (e.bytes > largest) {
      shares.clear();
      largest = e.bytes;
    }
    const auto sharing = sharing_in(campaign, m, fits);
    shares.push_back(sharing ? sharing->ratio - 1 : 0);
  }
  if (shares.empty()) {
    return 0;
  }
  const bool is_virtual = campaign.samples.is_virtual;
  const double share = is_virtual ? shares.front() : *std::min_element(shares.begin(), shares.end());
  return share >= kLeastReverseShare && share < (is_virtual ? kMostReverseShare : 1) ? std::min(share, 1.0) : 0;
}

/// True where no two of an outcast's receivers are known to be at different distances: others may share unevenly, by
/// their latencies, so that most messages end before the last one, and their mean end tells of more than they share.
bool is_equally_far(const CampaignData& campaign, const HostDistances& distances, const Experiment& e) {
  const auto host_of = [&](int rank) { return campaign.samples.ranks[static_cast<std::size_t>(rank)].node; };
  std::set<int> known;
  for (const int member : e.members) {
    if (host_of(member) != host_of(e.members.front())) {
      known.insert(distances.between(host_of(e.members.front()), host_of(member)));
    }
  }
  known.erase(-1);
  return known.size() < 2;
}

}  // namespace

bool is_within(const Limits& limits, const char* symbol, double rate) {
  const auto found = limits.find(symbol);
  return found != limits.end() && rate > found->second.value / kNoticeable;
}

ChannelSharing::ChannelSharing(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel)
    : is_between_nodes_(channel == kInterNode) {
  std::map<Kind, Bytes> largest;
  Rates even;
  std::optional<HostDistances> distances;
  const auto is_even = [&](const Experiment& e) {
    if (!distances) {
      distances.emplace(campaign);
    }
    return is_equally_far(campaign, *distances, e);
  };
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    const auto sharing = e.channel == channel ? sharing_in(campaign, m, fits) : std::nullopt;
    if (!sharing) {
      continue;
    }
    auto& rate = rates_[e.kind][e.bytes];
    if (is_between_nodes_ && e.kind == Kind::kOutcast && sharing->ratio > kNoticeable && is_even(e)) {
      even[e.bytes] = std::max(sharing->rate, even[e.bytes].value_or(0));
    }
    if (sharing->ratio > kNoticeable && sharing->rate > rate.value_or(0)) {
      rate = sharing->rate;
      if (e.bytes >= largest[e.kind]) {
        largest[e.kind] = e.bytes;
        hosts_[e.kind] = campaign.samples.ranks[static_cast<std::size_t>(e.members.front())].node;
      }
    }
  }
  take_even(even);
  const Rates& pairs = rates_[Kind::kConcurrentPairs];
  const bool is_seen =
      std::any_of(pairs.begin(), pairs.end(), [](const auto& rate) { return rate.second.has_value(); });
  if (!is_seen && !is_between_nodes_) {
    rates_[Kind::kConcurrentPairs] = rates_[Kind::kButterfly];  // two ranks have no other pair beside them
    if (const auto fetched = fetched_messages(campaign, *fits.front())) {
      // y has what these take longer.
      for (auto& [bytes, rate] : rates_[Kind::kConcurrentPairs]) {
        rate = bytes >= fetched->from ? std::nullopt : rate;
      }
    }
  }
  if (is_between_nodes_) {
    host_rates_.emplace(campaign, fits);
    raise();
    reverse_share_ = reverse_share(campaign, fits, channel);
  }
}

void ChannelSharing::take_even(const Rates& even) {
  for (const auto& [bytes, rate] : even) {
    std::optional<double>& most = rates_[Kind::kOutcast][bytes];
    if (rate && most && *most < kMostUneven * *rate) {
      most = rate;
    }
  }
}

void ChannelSharing::raise() {
  for (const Kind kind : {Kind::kOutcast, Kind::kIncast}) {
    for (auto& [bytes, rate] : rates_[kind]) {
      if (rate) {
        rate = std::max(*rate, host_rates_->fastest(hosts_[kind], bytes));
        auto& of_node = rates_[Kind::kConcurrentPairs];
        if (const auto same = of_node.find(bytes); same != of_node.end() && same->second) {
          same->second = std::max(*same->second, *rate);
        }
      }
    }
  }
}

Limits ChannelSharing::limits_of(int host) const {
  Limits limits;
  if (!host_rates_ || !host_rates_->differ()) {
    return limits;
  }
  for (const auto& [symbol, limit] : limits_at({}, 0)) {
    const auto kind = symbol == "B_node" ? Kind::kConcurrentPairs : symbol == "B_send" ? Kind::kOutcast : Kind::kIncast;
    if (symbol != "x") {
      limits[symbol] = Estimate::exactly(limit.value * host_rates_->share(host, hosts_.at(kind)));
    }
  }
  return limits;
}

std::optional<double> ChannelSharing::rate_at(const Rates& rates, const SizeRange& range, double alone) {
  if (std::isinf(alone)) {
    return std::nullopt;  // any limit would make a message alone take longer than it was measured to
  }
  const auto first = rates.lower_bound(range.from);
  const auto end = rates.lower_bound(range.end);
  for (auto it = end; it != first;) {
    --it;
    if (it->second) {
      return it->second;
    }
  }
  if (first != end || rates.empty()) {
    return std::nullopt;
  }
  const std::optional<double> nearest = (end != rates.end() ? end : std::prev(end))->second;
  return nearest ? std::optional(std::max(*nearest, alone)) : std::nullopt;
}

Limits ChannelSharing::limits_at(const SizeRange& range, double alone) const {
  Limits limits;
  for (const auto& [kind, symbol] : {std::pair{Kind::kConcurrentPairs, "B_node"}, std::pair{Kind::kOutcast, "B_send"},
                                     std::pair{Kind::kIncast, "B_receive"}}) {
    const auto found = rates_.find(kind);
    const auto rate = found == rates_.end() ? std::nullopt : rate_at(found->second, range, alone);
    if (rate && !is_within(limits, "B_node", *rate)) {
      limits[symbol] = Estimate::exactly(*rate);
    }
  }
  if (is_between_nodes_) {
    limits["x"] = Estimate::exactly(reverse_share_);
  }
  return limits;
}

bool ChannelSharing::is_measured(const SizeRange& range) const {
  return std::any_of(rates_.begin(), rates_.end(), [&](const auto& entry) {
    const auto found = entry.second.lower_bound(range.from);
    return found != entry.second.end() && found->first < range.end;
  });
}

}  // namespace postage
