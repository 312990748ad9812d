#include "estimate/network/host_distances.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/data/processor_overheads.hpp"
#include "estimate/network/host_pair_figures.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace postage {
namespace {

constexpr double kUnknown = -1;
/// Latencies that lie closer, as a share of the larger, are of one distance: a step on the network takes more.
constexpr double kLeastGap = 0.03;
/// The same in half widths of their intervals.
constexpr double kNoiseOfGap = 3;
/// Latencies that differ by four times are two, however few repetitions say so.
constexpr double kMostGap = 0.75;
constexpr Bytes kLatencyBytes = 64;
/// Messages that take longer where links are slower, whatever their latency.
constexpr Bytes kLargeBytes = 16 << 10;

/// Where processors leave less of what small messages take, as a share, they wait for the network: a receive of a
/// message that is sent only once it is asked for takes as long as the message.
constexpr double kLeastBeside = 0.05;

bool tells_of_latency(const PairData& pair) {
  return pair.channel == kInterNode && !pair.curve.empty() && pair.curve.begin()->first <= kLatencyBytes;
}

/// What small messages keep the processors of ranks.
class ProcessorTimes {
 public:
  explicit ProcessorTimes(const CampaignData& campaign) : overheads_(campaign, kInterNode) {
    std::vector<double> shares;
    for (const PairData& pair : campaign.pairs) {
      if (tells_of_latency(pair)) {
        const auto& [bytes, point] = *pair.curve.begin();
        const Seconds busy = (measured_of(pair, pair.first, bytes) + measured_of(pair, pair.second, bytes)) / 2;
        shares.push_back(1 - busy / point.one_way.value);
      }
    }
    are_known_ = shares.empty() || median(shares) >= kLeastBeside;
  }

  /// What the processors of a pair's ranks leave of half a roundtrip, at the size of the point.
  [[nodiscard]] Seconds beside(const PairData& pair, Bytes bytes, Seconds one_way) const {
    return are_known_ ? one_way - (of(pair.first, bytes) + of(pair.second, bytes)) / 2 : one_way;
  }

 private:
  static Seconds at(const TimesBySize& times, Bytes bytes) { return times.empty() ? 0 : value_at(times, bytes); }

  [[nodiscard]] Seconds of(int rank, Bytes bytes) const {
    const RankOverheads overheads = overheads_.of(rank);
    return at(overheads.send, bytes) + at(overheads.receive, bytes);
  }

  /// What messages of this very pair kept the rank: of near pairs, a receive that waits for its message takes less.
  [[nodiscard]] Seconds measured_of(const PairData& pair, int rank, Bytes bytes) const {
    const auto send = pair.send_overhead.find(rank);
    const auto receive = pair.receive_overhead.find(rank);
    if (send == pair.send_overhead.end() || receive == pair.receive_overhead.end()) {
      return of(rank, bytes);
    }
    return at(send->second, bytes) + at(receive->second, bytes);
  }

  ProcessorOverheads overheads_;
  bool are_known_ = true;  ///< else what was measured as the processors' holds the network's
};

/// What each further byte of a small message takes.
double slope_of(const ProcessorTimes& processors, const PairData& pair) {
  const auto& [least, first] = *pair.curve.begin();
  const auto above = pair.curve.upper_bound(kLatencyBytes);
  if (above == pair.curve.begin() || std::prev(above)->first == least) {
    return 0;
  }
  const auto& [most, last] = *std::prev(above);
  const Seconds longer =
      processors.beside(pair, most, last.one_way.value) - processors.beside(pair, least, first.one_way.value);
  return std::max(longer, 0.0) / static_cast<double>(most - least);
}

/// A pair's latency, and its standard error as a share of it.
struct PairLatency {
  Seconds latency = 0;
  double noise = 0;
};

/// Their median, and what their scatter says of it.
PairLatency middle_of(const std::vector<double>& figures) {
  // Of a normal distribution: the standard deviation over the median deviation, and a median's error over a mean's.
  constexpr double kErrorOfMedian = 1.4826 * 1.2533;
  const double middle = median(figures);
  std::vector<double> deviations;
  std::transform(figures.begin(), figures.end(), std::back_inserter(deviations),
                 [&](double figure) { return std::abs(figure - middle); });
  return {middle, kErrorOfMedian * median(deviations) / std::sqrt(static_cast<double>(figures.size())) / middle};
}

/// What the smallest message takes, and half its interval. On real machines the median over all small ones, and what
/// their scatter says of it: few repetitions give single sizes no interval.
PairLatency latency_of(const ProcessorTimes& processors, const PairData& pair, bool is_virtual) {
  constexpr std::size_t kFewSizes = 4;
  const MeasuredPoint& smallest = pair.curve.begin()->second;
  std::vector<double> latencies;
  for (const auto& [bytes, time] : pair.curve) {
    if (bytes <= kLatencyBytes) {
      latencies.push_back(processors.beside(pair, bytes, time.one_way.value));
    }
  }
  if (is_virtual || latencies.size() < kFewSizes) {
    const Seconds latency = latencies.front();
    return {latency,
            has_interval(smallest.one_way) ? (smallest.one_way.upper - smallest.one_way.lower) / 2 / latency : 0};
  }
  return middle_of(latencies);
}

/// Sizes of large messages that all measured pairs of hosts have, and the median of what they take.
std::map<Bytes, Seconds> usual_times(const CampaignData& campaign) {
  std::map<Bytes, std::vector<double>> times;
  std::size_t pairs = 0;
  for (const PairData& pair : campaign.pairs) {
    if (pair.channel != kInterNode) {
      continue;
    }
    ++pairs;
    for (auto at = pair.curve.lower_bound(kLargeBytes); at != pair.curve.end(); ++at) {
      times[at->first].push_back(at->second.one_way.value);
    }
  }
  std::map<Bytes, Seconds> usual;
  for (const auto& [bytes, all] : times) {
    if (all.size() == pairs) {
      usual[bytes] = median(all);
    }
  }
  return usual;
}

}  // namespace

HostDistances::HostDistances(const CampaignData& campaign, std::optional<int> envelope)
    : hosts_(campaign.samples.nodes.size()) {
  std::vector<double> noises;
  const ProcessorTimes processors(campaign);
  HostPairFigures latencies(campaign);
  HostPairFigures slopes(campaign);
  for (const PairData& pair : campaign.pairs) {
    if (!tells_of_latency(pair)) {
      continue;
    }
    const auto [latency, noise] = latency_of(processors, pair, campaign.samples.is_virtual);
    noises.push_back(noise);
    latencies.add(pair, latency);
    slopes.add(pair, slope_of(processors, pair));
  }
  latency_ = latencies.medians(kUnknown);
  take_off_envelopes(slopes.medians(0), noises.empty() ? 0 : median(noises), envelope);
}

HostDistances HostDistances::by_large_messages(const CampaignData& campaign) {
  const std::map<Bytes, Seconds> usual = usual_times(campaign);
  HostPairFigures times(campaign);
  std::vector<double> noises;
  for (const PairData& pair : campaign.pairs) {
    if (usual.empty() || pair.channel != kInterNode) {
      continue;
    }
    std::vector<double> shares;
    shares.reserve(usual.size());
    for (const auto& [bytes, time] : usual) {
      shares.push_back(pair.curve.at(bytes).one_way.value / time);
    }
    const auto [share, noise] = middle_of(shares);
    times.add(pair, share);
    noises.push_back(noise);
  }
  return {campaign.samples.nodes.size(), times.medians(kUnknown), noises.empty() ? 0 : median(noises)};
}

void HostDistances::take_off_envelopes(const std::vector<double>& seconds_per_byte, double noise,
                                       std::optional<int> envelope) {
  const std::vector<double> with = latency_;
  std::vector<double> best = with;
  int fewest = std::numeric_limits<int>::max();
  for (int bytes = envelope.value_or(0); bytes <= envelope.value_or(kMostEnvelope); bytes += kEnvelopeStep) {
    bool is_left = true;
    for (std::size_t i = 0; i < with.size(); ++i) {
      is_left = is_left && (with[i] <= 0 || with[i] > (bytes + 1) * seconds_per_byte[i]);
      latency_[i] = with[i] >= 0 ? std::max(with[i] - (bytes + 1) * seconds_per_byte[i], 0.0) : kUnknown;
    }
    if (!envelope && bytes > 0 && !is_left) {
      break;  // no message takes nothing beside its bytes, and those that did would be of one distance
    }
    sort_by_distance(noise);
    if (count_ < fewest) {
      fewest = count_;
      best = latency_;
    }
  }
  latency_ = best;
  sort_by_distance(noise);
}

HostDistances::HostDistances(std::size_t hosts, std::vector<double> latencies, double noise)
    : hosts_(hosts), latency_(std::move(latencies)) {
  sort_by_distance(noise);
}

void HostDistances::sort_by_distance(double noise) {
  distance_.assign(latency_.size(), -1);
  count_ = 0;
  std::vector<std::pair<double, std::size_t>> sorted;
  for (std::size_t i = 0; i < latency_.size(); ++i) {
    if (latency_[i] >= 0 && i / hosts_ != i % hosts_) {
      sorted.emplace_back(latency_[i], i);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  const double gap = std::clamp(kNoiseOfGap * noise, kLeastGap, kMostGap);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    count_ += i == 0 || sorted[i].first > sorted[i - 1].first + gap * sorted[i].first ? 1 : 0;
    distance_[sorted[i].second] = count_ - 1;
  }
}

namespace {

/// Those that each host reaches by steps within the distance; nothing where two of them are known to be further apart.
/// Of two hosts that were not measured the way by others tells: in a tree it is no nearer.
HostPartition groups_within(const HostDistances& distances, int most) {
  const auto hosts = static_cast<std::size_t>(distances.hosts());
  const auto is_near = [&](int a, int b) { return distances.between(a, b) >= 0 && distances.between(a, b) <= most; };
  HostPartition groups;
  std::vector<bool> is_placed(hosts);
  for (int first = 0; first < distances.hosts(); ++first) {
    if (is_placed[static_cast<std::size_t>(first)]) {
      continue;
    }
    std::vector<int> group{first};
    is_placed[static_cast<std::size_t>(first)] = true;
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (int other = 0; other < distances.hosts(); ++other) {
        if (!is_placed[static_cast<std::size_t>(other)] && is_near(group[i], other)) {
          is_placed[static_cast<std::size_t>(other)] = true;
          group.push_back(other);
        }
      }
    }
    std::sort(group.begin(), group.end());
    groups.push_back(std::move(group));
  }
  const auto is_whole = [&](const std::vector<int>& group) {
    return std::all_of(group.begin(), group.end(), [&](int a) {
      return std::all_of(group.begin(), group.end(),
                         [&](int b) { return a == b || distances.between(a, b) < 0 || is_near(a, b); });
    });
  };
  return std::all_of(groups.begin(), groups.end(), is_whole) ? groups : HostPartition{};
}

}  // namespace

std::vector<HostPartition> nested_groups(const HostDistances& distances) {
  std::vector<HostPartition> levels;
  auto before = static_cast<std::size_t>(distances.hosts());
  for (int most = 0; most + 1 < distances.count(); ++most) {
    HostPartition groups = groups_within(distances, most);
    if (groups.size() > 1 && groups.size() < before) {
      before = groups.size();
      levels.push_back(std::move(groups));
    }
  }
  return levels;
}

}  // namespace postage
