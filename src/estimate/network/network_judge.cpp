#include "estimate/network/network_judge.hpp"

#include <postage/base/at_once.hpp>
#include <postage/predict/flows/scattered_messages.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace postage {
namespace {

/// Misses below this share are the model's, not the network's.
constexpr double kMissOfTheModel = 0.005;
/// Sums of the same terms differ by less.
constexpr double kRounding = 1 + 1e-9;

/// Fans that tell of the network. Not real outcasts, of which the mean over the receivers was measured: connections do
/// not share a link fairly, so that most end long before the last.
bool is_judged_fan(const ExperimentKind& kind, bool is_real) {
  return kind == ExperimentKind::kIncast || (kind == ExperimentKind::kOutcast && !is_real);
}

/// Of the processors' limits, in seconds per byte, the least that is known.
double fastest_limit(const Flow& model, double FlowLimits::*limit) {
  double least = 0;
  for (const std::optional<FlowProcessor>& processor : model.processors) {
    const double own = processor ? processor->limits.*limit : 0;
    least = own > 0 && (least == 0 || own < least) ? own : least;
  }
  return least;
}

void slow_down(Flow& model, const NetworkStructure& network) {
  for (double FlowLimits::*limit : {&FlowLimits::sender, &FlowLimits::receiver, &FlowLimits::node}) {
    const double fastest = fastest_limit(model, limit);
    const double share = fastest > 0 ? share_of_slow_hosts(network, 1 / fastest) : 1;
    for (std::optional<FlowProcessor>& processor : model.processors) {
      if (processor && processor->limits.*limit * kSlowHost > fastest) {
        processor->limits.*limit /= share;
      }
    }
  }
}

/// The model with messages that compete as given.
Flow changed(Flow model, const CompetingMessages& competing) {
  const auto change = [&](FlowLimits& limits) {
    limits.sender /= competing.more_sent;
    limits.receiver /= competing.more_received;
    limits.node /= competing.more_sent;
  };
  model.links.change([&](FlowLink& link) {
    change(link.limits);
    link.reverse_share = competing.reverse_share.value_or(link.reverse_share);
  });
  model.share_exponent = competing.share_exponent;
  model.share_bytes = competing.share_bytes;
  model.envelope = competing.envelope;
  model.penalties = competing.penalties;
  for (std::optional<FlowProcessor>& processor : model.processors) {
    if (processor) {
      change(processor->limits);
    }
  }
  return model;
}

}  // namespace

CompetingMessages with_corrected_limits(CompetingMessages competing) {
  competing.more_sent = 1;
  competing.more_received = 1;
  return competing;
}

double share_of_slow_hosts(const NetworkStructure& network, double fastest_host) {
  const auto crosses_links = [](const HostGroup& group) { return group.level > 0 || group.hosts.size() == 1; };
  std::optional<Estimate> bandwidth;
  if (network.torus) {
    bandwidth = network.torus->bandwidths.front();
  } else if (!network.levels.empty() && network.levels.front().junction == GroupJunction::kMesh &&
             std::all_of(network.groups.begin(), network.groups.end(), crosses_links)) {
    bandwidth = network.levels.front().bandwidth;
  }
  return bandwidth ? std::min(bandwidth->value / fastest_host, 1.0) : 1;
}

NetworkJudge::NetworkJudge(const CampaignData& campaign, const Platform& platform, const Flow& model,
                           Bytes least_of_fans)
    : platform_{.name = platform.name,
                .implementation = platform.implementation,
                .channels = platform.channels,
                .nodes = platform.nodes,
                .ranks = platform.ranks},
      model_(model),
      channels_(platform_, Mapping::explicit_placements(platform.ranks)),
      is_real_(!campaign.samples.is_virtual) {
  for (const PairData& pair : campaign.pairs) {
    if (is_real_ && pair.channel == kInterNode) {
      add_alone(pair);
    }
  }
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.channel != kInterNode || m.summary.count == 0 || !(m.summary.median > 0)) {
      continue;
    }
    knows_hosts_ = knows_hosts_ || e.kind == ExperimentKind::kHostOutcast;
    if (e.kind == ExperimentKind::kPermutation) {
      add_permutation(m);
    } else if (e.kind == ExperimentKind::kMesh) {
      add_mesh(m);
    } else if (is_judged_fan(e.kind, is_real_) && e.bytes >= least_of_fans) {
      add_fan(m);
    } else if (e.kind == ExperimentKind::kButterfly && e.members.size() == 2 &&
               e.bytes >= std::max(least_of_fans, kLargeMessage)) {
      add_exchange(m);
    }
  }
}

void NetworkJudge::add_permutation(const Measurement& m) {
  const Experiment& e = m.experiment;
  Measured& one = measured_.emplace_back(Measured{{}, e.members, m.summary.median, is_real_});
  std::sort(one.ranks.begin(), one.ranks.end());
  for (std::size_t i = 0; i < e.members.size(); ++i) {
    add_message(one, one.ranks[i], e.members[i], e.bytes);
  }
}

void NetworkJudge::add_mesh(const Measurement& m) {
  const std::vector<int>& members = m.experiment.members;
  Measured& one = measured_.emplace_back(Measured{{}, members, m.summary.median, is_real_});
  for (std::size_t from = 0; from < members.size(); ++from) {
    for (std::size_t step = 1; step < members.size(); ++step) {
      add_message(one, members[from], members[(from + step) % members.size()], m.experiment.bytes);
    }
  }
}

void NetworkJudge::add_fan(const Measurement& m) {
  const Experiment& e = m.experiment;
  const bool leaves = e.kind == ExperimentKind::kOutcast;
  const Rank root = e.members.front();
  Measured& one = measured_.emplace_back(Measured{{}, {root}, m.summary.median});
  if (leaves) {
    one.ranks.assign(e.members.begin() + 1, e.members.end());
  }
  for (std::size_t i = 1; i < e.members.size(); ++i) {
    add_message(one, leaves ? root : e.members[i], leaves ? e.members[i] : root, e.bytes);
  }
}

void NetworkJudge::add_exchange(const Measurement& m) {
  const Experiment& e = m.experiment;
  Measured& one = measured_.emplace_back(Measured{{}, e.members, m.summary.median});
  add_message(one, e.members[0], e.members[1], e.bytes);
  add_message(one, e.members[1], e.members[0], e.bytes);
}

void NetworkJudge::add_message(Measured& one, Rank source, Rank target, Bytes bytes) {
  if (source == target) {
    return;
  }
  one.messages.push_back({source, target, bytes});
  const FlowLink& link = model_.links.at(
      {.source = source, .target = target, .channel = channels_.channel_of(source, target), .bytes = bytes});
  // Where times do not grow with sizes, noise has hidden what each byte takes: then the whole message counts.
  const double per_byte =
      link.seconds_per_byte > 0 ? link.seconds_per_byte : link.latency / static_cast<double>(std::max<Bytes>(bytes, 1));
  scatter_ = std::max(scatter_, link.host.scatter);
  least_reverse_share_ = std::min(least_reverse_share_, link.reverse_share);
  most_reverse_share_ = std::max(most_reverse_share_, link.reverse_share);
  const double rate = per_byte > 0 ? 1 / per_byte : 0;
  fastest_ = std::max(fastest_, rate);
}

void NetworkJudge::add_alone(const PairData& pair) {
  const auto host_of = [&](int rank) { return platform_.ranks[static_cast<std::size_t>(rank)].node; };
  double& fastest = alone_[{host_of(pair.first), host_of(pair.second)}];
  for (auto at = pair.curve.lower_bound(kLargeMessage); at != pair.curve.end(); ++at) {
    fastest = std::max(fastest, static_cast<double>(at->first) / at->second.one_way.value);
  }
}

double NetworkJudge::fastest_across(const NetworkStructure& network, std::size_t level) const {
  if (level == network.levels.size() && level > 0) {
    return fastest_across(network, level - 1);  // the backbone joins those of the highest level
  }
  std::vector<int> group_of(platform_.nodes.size(), -1);
  for (std::size_t i = 0; i < network.groups.size(); ++i) {
    for (const int host : network.groups[i].hosts) {
      int& own = group_of[static_cast<std::size_t>(host)];
      own = network.groups[i].level == static_cast<int>(level) ? static_cast<int>(i) : own;
    }
  }
  double most = 0;
  for (const auto& [hosts, rate] : alone_) {
    const int from = group_of[static_cast<std::size_t>(hosts.first)];
    const int to = group_of[static_cast<std::size_t>(hosts.second)];
    most = network.levels.empty() || from != to ? std::max(most, rate) : most;
  }
  return most;
}

double NetworkJudge::misses(const NetworkStructure& network, const CompetingMessages& competing, double bound) const {
  Platform platform = platform_;
  platform.network = network;
  const ChannelMap channels(platform, Mapping::explicit_placements(platform.ranks));
  const auto ranks = static_cast<Rank>(platform.ranks.size());
  Flow model = changed(model_, competing);
  if (!knows_hosts_) {
    slow_down(model, network);
  }
  std::vector<double> misses(measured_.size());
  // Of messages that scatter alone, those that share end at different times: the last ones later than all would.
  std::atomic<double> sum = 0;
  const double most = bound * kRounding;  // whatever order the sum is in
  run_at_once(measured_.size(), [&](std::size_t i) {
    if (sum > most) {
      return;
    }
    const Measured& one = measured_[i];
    const Timeline played = play_scattered_messages(one.messages, ranks, channels, model, i + 1);
    misses[i] = std::log(time_of(one, played) / one.time);
    sum += misses[i] * misses[i];
  });
  return sum > most ? std::numeric_limits<double>::infinity()
                    : std::inner_product(misses.begin(), misses.end(), misses.begin(), 0.0);
}

double NetworkJudge::cost_of(double misses, double parameters) const {
  const auto count = static_cast<double>(experiments());
  return count * std::log(misses / count + kMissOfTheModel * kMissOfTheModel) + parameters * std::log(count);
}

Seconds NetworkJudge::time_of(const Measured& one, const Timeline& played) {
  Seconds sum = 0;
  Seconds most = 0;
  for (const int rank : one.ranks) {
    const Seconds finish = played.finish[static_cast<std::size_t>(rank)];
    sum += finish;
    most = std::max(most, finish);
  }
  return one.is_longest ? most : sum / static_cast<double>(one.ranks.size());
}

}  // namespace postage
