#include "validate/random/random_points.hpp"

#include "validate/suite/points.hpp"

#include <postage/schedule/algorithms.hpp>

#include <algorithm>
#include <random>
#include <set>

namespace postage {
namespace {

/// What an algorithm is chosen for.
struct Work {
  Collective collective;
  Bytes bytes;
  Rank root;
};

std::set<Bytes> sizes_for(const RandomProtocol& protocol) {
  std::set<Bytes> sizes{64, 1 << 10, 8 << 10, 64 << 10, 1 << 20};
  if (protocol.detached_below) {
    for (const Bytes threshold : {protocol.async_small_below, *protocol.detached_below}) {
      if (threshold > 0) {
        sizes.insert({threshold - 1, threshold, threshold + 1});
      }
    }
  }
  return sizes;
}

std::vector<Collective> all_collectives() {
  std::vector<Collective> list;
  for (const Algorithm& algorithm : algorithms()) {
    if (std::find(list.begin(), list.end(), algorithm.collective) == list.end()) {
      list.push_back(algorithm.collective);
    }
  }
  return list;
}

std::vector<Work> all_work(const RandomPlatform& platform) {
  const auto ranks = static_cast<Rank>(platform.ranks());
  std::vector<Work> list;
  for (const Collective collective : all_collectives()) {
    if (collective == Collective::kBarrier) {
      list.push_back({collective, 0, 0});
      continue;
    }
    for (const Bytes bytes : sizes_for(platform.protocol)) {
      for (const Rank root : has_root(collective) ? std::set<Rank>{0, ranks / 3, ranks - 1} : std::set<Rank>{0}) {
        list.push_back({collective, bytes, root});
      }
    }
  }
  return list;
}

/// The same on every machine: what std::shuffle does is not.
void shuffle(std::vector<Work>& list, std::mt19937_64 random) {
  for (std::size_t left = list.size(); left > 1; --left) {
    std::swap(list[left - 1], list[random() % left]);
  }
}

void add_algorithms(const Work& work, Rank ranks, std::vector<BatchPoint>& points) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.collective != work.collective || !can_do(algorithm, ranks)) {
      continue;
    }
    for (const Bytes segment : std::set<Bytes>{0, algorithm.segmentable ? segment_for(work.bytes) : 0}) {
      const BatchPoint point{ranks, {work.collective, std::string(algorithm.name), work.bytes, segment, work.root}};
      if (is_affordable(point)) {
        points.push_back(point);
      }
    }
  }
}

}  // namespace

std::vector<BatchPoint> random_points(const RandomPlatform& platform, std::size_t count) {
  std::vector<Work> list = all_work(platform);
  shuffle(list, std::mt19937_64(platform.seed));
  std::vector<BatchPoint> points;
  for (const Work& work : list) {
    if (points.size() >= count) {
      break;
    }
    add_algorithms(work, static_cast<Rank>(platform.ranks()), points);
  }
  return points;
}

}  // namespace postage
