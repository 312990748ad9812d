#include "estimate/network/candidates/conflicts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace postage {
namespace {

/// Permutations that hosts' own links explain so well tell of no others, in the root of the mean square.
constexpr double kExplained = 0.02;
/// Groups are worth trying that leave less than this share of the squares that hosts' links leave.
constexpr double kMostLeft = 0.5;
constexpr int kMostHostsMoved = 64;
constexpr int kMostSweeps = 8;
/// What a group's link carries, in hosts' links.
constexpr std::array<double, 14> kLinks{1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 5, 1.0 / 3, 0.5, 0.7,
                                        1,        1.4,      2,       3,       5,       8,   16};

/// Messages from each host to another at the same time.
struct Permutation {
  std::vector<int> target;  ///< by host; itself where it sends nothing
  double time = 0;          ///< ln of seconds for each byte
};

/// By host.
using Groups = std::vector<int>;

std::vector<Permutation> permutations_of(const CampaignData& campaign) {
  const std::vector<RankPlacement>& ranks = campaign.samples.ranks;
  std::vector<Permutation> all;
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind != ExperimentKind::kPermutation || e.channel != kInterNode || m.summary.count == 0 ||
        !(m.summary.median > 0)) {
      continue;
    }
    std::vector<int> sources = e.members;
    std::sort(sources.begin(), sources.end());
    Permutation& one = all.emplace_back();
    one.target.resize(campaign.samples.nodes.size());
    std::iota(one.target.begin(), one.target.end(), 0);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto node = [&](int rank) { return ranks[static_cast<std::size_t>(rank)].node; };
      one.target[static_cast<std::size_t>(node(sources[i]))] = node(e.members[i]);
    }
    one.time = std::log(m.summary.median / static_cast<double>(e.bytes));
  }
  return all;
}

/// What groups leave unexplained of permutations.
class Conflicts {
 public:
  explicit Conflicts(const CampaignData& campaign)
      : hosts_(campaign.samples.nodes.size()),
        permutations_(permutations_of(campaign)),
        longest_counts_(!campaign.samples.is_virtual) {}

  [[nodiscard]] std::size_t hosts() const { return hosts_; }
  [[nodiscard]] std::size_t count() const { return permutations_.size(); }

  /// Squares of what the permutations' times differ by, in logarithms, from what links of the best bandwidth make of
  /// them. O(permutations hosts).
  [[nodiscard]] double left_by(const Groups& groups) const {
    std::vector<std::vector<int>> sharing;
    sharing.reserve(count());
    for (const Permutation& one : permutations_) {
      sharing.push_back(sharing_of(one, groups));
    }
    double least = std::numeric_limits<double>::infinity();
    for (const double link : kLinks) {
      double sum = 0;
      double squares = 0;
      for (std::size_t i = 0; i < count(); ++i) {
        const double miss = permutations_[i].time - std::log(time_of(sharing[i], link));
        sum += miss;
        squares += miss * miss;
      }
      least = std::min(least, squares - sum * sum / static_cast<double>(count()));
    }
    return least;
  }

 private:
  /// Of each host, how many messages share a link between groups with its own ones, 0 where these stay within one; -1
  /// where it has none.
  [[nodiscard]] std::vector<int> sharing_of(const Permutation& one, const Groups& groups) const {
    std::vector<int> leaving(hosts_);  // by group
    std::vector<int> reaching(hosts_);
    const auto for_each = [&](const auto& visit) {
      for (std::size_t host = 0; host < hosts_; ++host) {
        const auto to = static_cast<std::size_t>(one.target[host]);
        visit(host, to, static_cast<std::size_t>(groups[host]), static_cast<std::size_t>(groups[to]));
      }
    };
    for_each([&](std::size_t, std::size_t, std::size_t from_group, std::size_t to_group) {
      leaving[from_group] += from_group != to_group ? 1 : 0;
      reaching[to_group] += from_group != to_group ? 1 : 0;
    });
    std::vector<int> sharing(hosts_, -1);
    for_each([&](std::size_t host, std::size_t to, std::size_t from_group, std::size_t to_group) {
      if (to != host) {
        const int all = from_group == to_group ? 0 : std::max(leaving[from_group], reaching[to_group]);
        sharing[host] = std::max(sharing[host], all);
        sharing[to] = std::max(sharing[to], all);
      }
    });
    return sharing;
  }

  /// The hosts' mean or longest (see mean_or_longest), in times of a message alone on a host's link.
  [[nodiscard]] double time_of(const std::vector<int>& sharing, double link) const {
    double most = 1;
    double sum = 0;
    for (const int all : sharing) {
      const double time = all < 0 ? 0 : std::max(1.0, all / link);
      most = std::max(most, time);
      sum += time;
    }
    return longest_counts_ ? most : std::max(sum, 1.0) / static_cast<double>(hosts_);
  }

  std::size_t hosts_;
  std::vector<Permutation> permutations_;
  bool longest_counts_;
};

/// As many neighbours in each group as can be, the first ones larger.
Groups neighbours(std::size_t hosts, std::size_t count) {
  Groups groups(hosts);
  for (std::size_t group = 0, first = 0; group < count; ++group) {
    const std::size_t size = hosts / count + (group < hosts % count ? 1 : 0);
    std::fill_n(groups.begin() + static_cast<std::ptrdiff_t>(first), size, static_cast<int>(group));
    first += size;
  }
  return groups;
}

/// Moves single hosts and exchanges two as long as less is left; returns what is.
double improve(const Conflicts& conflicts, Groups& groups) {
  double left = conflicts.left_by(groups);
  const int most = *std::max_element(groups.begin(), groups.end());
  const auto keep_if_better = [&](Groups other) {
    const double its = conflicts.left_by(other);
    if (its < left) {
      left = its;
      groups = std::move(other);
    }
  };
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const double before = left;
    for (std::size_t host = 0; host < groups.size(); ++host) {
      for (int group = 0; group <= most; ++group) {
        Groups moved = groups;
        moved[host] = group;
        keep_if_better(std::move(moved));
      }
      for (std::size_t other = 0; other < host; ++other) {
        Groups exchanged = groups;
        std::swap(exchanged[host], exchanged[other]);
        keep_if_better(std::move(exchanged));
      }
    }
    if (left >= before) {
      break;
    }
  }
  return left;
}

/// In order of their first hosts; those without hosts are none.
HostPartition partition_of(const Groups& groups) {
  HostPartition partition;
  std::vector<int> index(groups.size(), -1);
  for (std::size_t host = 0; host < groups.size(); ++host) {
    int& own = index[static_cast<std::size_t>(groups[host])];
    if (own < 0) {
      own = static_cast<int>(partition.size());
      partition.emplace_back();
    }
    partition[static_cast<std::size_t>(own)].push_back(static_cast<int>(host));
  }
  return partition;
}

}  // namespace

std::vector<HostPartition> groups_by_conflicts(const CampaignData& campaign) {
  const Conflicts conflicts(campaign);
  const std::size_t hosts = conflicts.hosts();
  std::vector<HostPartition> partitions;
  if (hosts < 3 || conflicts.count() < hosts) {
    return partitions;
  }
  const double without = conflicts.left_by(neighbours(hosts, 1));
  if (without < kExplained * kExplained * static_cast<double>(conflicts.count())) {
    return partitions;
  }
  for (std::size_t count = 2; count <= hosts / 2; ++count) {
    Groups groups = neighbours(hosts, count);
    const double left = hosts <= kMostHostsMoved ? improve(conflicts, groups) : conflicts.left_by(groups);
    HostPartition partition = partition_of(groups);
    const bool is_known = std::find(partitions.begin(), partitions.end(), partition) != partitions.end();
    if (left < kMostLeft * without && partition.size() > 1 && !is_known) {
      partitions.push_back(std::move(partition));
    }
  }
  return partitions;
}

}  // namespace postage
