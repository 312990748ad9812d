#include "unit/estimate/synthetic_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>

namespace postage {
namespace {

using Kind = ExperimentKind;

constexpr int kKnownPasses = 6;
constexpr Seconds kKnownDelay = 1e-3;

}  // namespace

Seconds KnownCluster::busy(int rank, Bytes bytes) const {
  const auto i = static_cast<std::size_t>(rank);
  return fixed[i] + per_byte[i] * static_cast<double>(bytes);
}

Seconds KnownCluster::one_way(int from, int to, Bytes bytes) const {
  const auto i = static_cast<std::size_t>(from);
  const auto j = static_cast<std::size_t>(to);
  return busy(from, bytes) + latency[i][j] + wire[i][j] * static_cast<double>(bytes) + busy(to, bytes);
}

Seconds KnownCluster::time_of(const Experiment& e) const {
  const Seconds single = one_way(e.source, e.target, e.bytes) + one_way(e.target, e.source, e.reply_bytes);
  if (e.kind == Kind::kSendOverhead || e.kind == Kind::kDelayedReceive) {
    return busy(e.source, e.bytes);
  }
  if (e.kind == Kind::kTrain) {
    const double link = wire[static_cast<std::size_t>(e.source)][static_cast<std::size_t>(e.target)];
    const Seconds slowest =
        std::max({busy(e.source, e.bytes), busy(e.target, e.bytes), link * static_cast<double>(e.bytes)});
    return single + (e.messages - 1) * (e.delay > 0 ? busy(e.source, e.bytes) + e.delay : slowest);
  }
  if (e.kind == Kind::kOneToTwo) {
    // Each reply is received when it and the replies and sends before it allow.
    const Seconds receive = fixed[static_cast<std::size_t>(e.source)];
    const Seconds first_there = single - receive;
    const Seconds second_there = busy(e.source, e.bytes) + one_way(e.source, e.second_target, e.bytes) +
                                 one_way(e.second_target, e.source, 0) - receive;
    const Seconds first_done = std::max(2 * busy(e.source, e.bytes), first_there) + receive;
    return std::max(first_done, second_there) + receive;
  }
  return single;
}

KnownCluster known_cluster(int ranks) {
  const auto n = static_cast<std::size_t>(ranks);
  KnownCluster cluster{{}, {}, std::vector(n, std::vector<Seconds>(n)), std::vector(n, std::vector<double>(n))};
  for (std::size_t i = 0; i < n; ++i) {
    cluster.fixed.push_back(9e-6 + 4.5e-6 * static_cast<double>((5 * i) % 7));
    cluster.per_byte.push_back(2e-10 + 1e-10 * static_cast<double>((3 * i) % 7));
    for (std::size_t j = 0; j < n; ++j) {
      cluster.latency[i][j] = 20e-6 + 1e-6 * static_cast<double>((i + j) % 11);
      cluster.wire[i][j] = 1 / (100e6 + 3e6 * static_cast<double>((7 * std::min(i, j) + 3 * std::max(i, j)) % 13));
    }
  }
  return cluster;
}

std::vector<Experiment> all_experiments(int ranks, const std::vector<Bytes>& sizes,
                                        const std::vector<Bytes>& one_to_two_sizes) {
  std::vector<Experiment> all;
  for (int i = 0; i < ranks; ++i) {
    for (int j = i + 1; j < ranks; ++j) {
      const bool is_turned = (i + j) % 2 != 0;
      const auto add = [&](Experiment e, Bytes bytes) {
        e.source = is_turned ? j : i;
        e.target = is_turned ? i : j;
        e.bytes = bytes;
        all.push_back(e);
      };
      for (const Bytes bytes : sizes) {
        if (bytes > 0) {
          add({.kind = Kind::kRoundtrip, .reply_bytes = bytes}, bytes);
        }
        add({.kind = Kind::kRoundtrip}, bytes);
        add({.kind = Kind::kSendOverhead, .messages = 8}, bytes);
        add({.kind = Kind::kDelayedReceive, .messages = 8, .delay = kKnownDelay}, bytes);
        add({.kind = Kind::kTrain, .messages = 32}, bytes);
        add({.kind = Kind::kTrain, .messages = 8, .delay = kKnownDelay}, bytes);
      }
      for (int k = j + 1; k < ranks; ++k) {
        for (const Bytes bytes : one_to_two_sizes) {
          std::array<int, 3> order{i, j, k};
          do {
            all.push_back({.kind = Kind::kOneToTwo,
                           .source = order[0],
                           .target = order[1],
                           .second_target = order[2],
                           .bytes = bytes});
          } while (std::next_permutation(order.begin(), order.end()));
        }
      }
    }
  }
  return all;
}

SampleSet without_measurements(int ranks) {
  SampleSet samples{.implementation = "synthetic"};
  for (int rank = 0; rank < ranks; ++rank) {
    samples.nodes.push_back({.name = fmt::format("h{}", rank), .topology = {.cores = {Core{}}}});
    samples.ranks.push_back({.node = rank, .core = 0});
  }
  return samples;
}

Measurement repeated(const Experiment& experiment, Seconds time, const Disturbance& disturbance, std::uint64_t stream) {
  std::mt19937_64 generator(disturbance.seed * 1000003 + stream);
  std::normal_distribution<double> noise(1, disturbance.noise > 0 ? disturbance.noise : 1);
  std::uniform_real_distribution<double> longer(2, 10);
  std::bernoulli_distribution is_outlier(disturbance.outliers);
  Measurement m{.experiment = experiment, .precise = true};
  m.passes.resize(kKnownPasses);
  for (int i = 0; i < disturbance.repetitions; ++i) {
    const double factor =
        (disturbance.noise > 0 ? noise(generator) : 1) * (is_outlier(generator) ? longer(generator) : 1);
    m.passes[static_cast<std::size_t>(i % kKnownPasses)].push_back(time * factor);
  }
  m.summary = summarise(m.passes, 0.95);
  return m;
}

}  // namespace postage
