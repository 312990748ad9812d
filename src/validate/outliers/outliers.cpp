#include "validate/outliers/band_test.hpp"
#include "validate/outliers/deviations.hpp"

#include <postage/base/error.hpp>
#include <postage/validate/outliers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace postage {
namespace {

constexpr std::size_t kFewestHosts = 4;

bool is_end(const PairDeviation& pair, int host) {
  return pair.hosts.first == host || pair.hosts.second == host;
}

/// Pairs of the band of which `is_own` is true.
template <typename Test>
std::vector<std::size_t> pairs_where(const SizeBand& band, const Test& is_own) {
  std::vector<std::size_t> pairs;
  for (std::size_t i = 0; i < band.pairs.size(); ++i) {
    if (is_own(band.pairs[i])) {
      pairs.push_back(i);
    }
  }
  return pairs;
}

/// With fewer pairs of a host it cannot be told from the hosts at their other ends.
constexpr std::size_t kFewestPairs = 2;

void add_hosts(const SizeBand& band, const std::vector<std::string>& hosts, std::vector<OutlierCandidate>& candidates) {
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    const int index = static_cast<int>(host);
    OutlierCandidate candidate{.kind = Outlier::Kind::kHost, .names = {hosts[host]}, .host = index};
    candidate.pairs = pairs_where(band, [&](const PairDeviation& pair) { return is_end(pair, index); });
    const bool is_inside = !band.pairs.empty() && band.pairs.front().hosts.first == band.pairs.front().hosts.second;
    if (candidate.pairs.size() >= (is_inside ? 1 : kFewestPairs)) {
      candidates.push_back(std::move(candidate));
    }
  }
}

/// Groups of several hosts, of levels that have others to compare with.
void add_groups(const SizeBand& band, const NetworkStructure& network, std::vector<OutlierCandidate>& candidates) {
  for (const HostGroup& group : network.groups) {
    const auto alike = std::ranges::count_if(
        network.groups, [&](const HostGroup& other) { return other.level == group.level && other.hosts.size() > 1; });
    if (group.hosts.size() < 2 || alike < 3) {
      continue;
    }
    const auto holds = [&](int host) { return std::ranges::binary_search(group.hosts, host); };
    OutlierCandidate candidate{.kind = Outlier::Kind::kGroup, .names = {group.name}};
    candidate.pairs = pairs_where(
        band, [&](const PairDeviation& pair) { return holds(pair.hosts.first) != holds(pair.hosts.second); });
    if (candidate.pairs.size() >= kFewestPairs) {
      candidates.push_back(std::move(candidate));
    }
  }
}

void add_pairs(const SizeBand& band, const std::vector<std::string>& hosts, std::vector<OutlierCandidate>& candidates) {
  for (std::size_t i = 0; i < band.pairs.size(); ++i) {
    const auto& [first, second] = band.pairs[i].hosts;
    if (first != second) {
      candidates.push_back({.kind = Outlier::Kind::kPair,
                            .names = {hosts[static_cast<std::size_t>(first)], hosts[static_cast<std::size_t>(second)]},
                            .pairs = {i}});
    }
  }
}

std::vector<OutlierCandidate> candidates_in(const SizeBand& band, const HostPairTimes& times) {
  std::vector<OutlierCandidate> candidates;
  add_hosts(band, times.hosts, candidates);
  if (times.network) {
    add_groups(band, *times.network, candidates);
  }
  add_pairs(band, times.hosts, candidates);
  return candidates;
}

HostPairTime pair_time(const std::vector<RankPlacement>& ranks, int source, int target, const std::string& channel,
                       Bytes bytes, const Estimate& time) {
  return {ranks[static_cast<std::size_t>(source)].node, ranks[static_cast<std::size_t>(target)].node, channel, bytes,
          time};
}

}  // namespace

HostPairTimes host_pair_times(const Platform& platform) {
  HostPairTimes times{.network = platform.network};
  for (const Node& node : platform.nodes) {
    times.hosts.push_back(node.name);
  }
  for (const MeasuredPoint& point : platform.points) {
    times.times.push_back(
        pair_time(platform.ranks, point.source, point.target, point.channel, point.bytes, point.one_way));
  }
  return times;
}

OutlierReport find_outliers(const HostPairTimes& times, const OutlierSettings& settings) {
  if (times.hosts.size() < kFewestHosts) {
    throw UsageError(fmt::format("a slow host shows among at least {} hosts, and {} {} measured", kFewestHosts,
                                 times.hosts.size(), times.hosts.size() == 1 ? "was" : "were"));
  }
  OutlierReport report;
  std::set<std::pair<int, int>> pairs;
  std::set<int> tested;
  const std::size_t most = times.hosts.size() / 4;
  for (const SizeBand& band : deviations_of(times)) {
    const std::vector<OutlierCandidate> candidates = candidates_in(band, times);
    for (const OutlierCandidate& candidate : candidates) {
      if (candidate.host >= 0 && contrast_of(band.pairs, candidate)) {
        tested.insert(candidate.host);
      }
    }
    for (const PairDeviation& pair : band.pairs) {
      pairs.insert(pair.hosts);
    }
    std::vector<Outlier> found = slow_in_band(band, candidates, settings, most);
    report.too_many = report.too_many || found.size() > most;
    std::ranges::move(found, std::back_inserter(report.outliers));
  }
  report.pairs = pairs.size();
  for (std::size_t host = 0; host < times.hosts.size(); ++host) {
    if (!tested.contains(static_cast<int>(host))) {
      report.untested.push_back(times.hosts[host]);
    }
  }
  return report;
}

std::string describe(const Outlier& outlier) {
  switch (outlier.kind) {
    case Outlier::Kind::kGroup:
      return "group " + outlier.names.front();
    case Outlier::Kind::kPair:
      return fmt::format("between {} and {}", outlier.names[0], outlier.names[1]);
    case Outlier::Kind::kHost:
      break;
  }
  return fmt::format("{}host {}", outlier.is_inside ? "within " : "", outlier.names.front());
}

}  // namespace postage
