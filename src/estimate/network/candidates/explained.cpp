#include "estimate/network/candidates/explained.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace postage {
namespace {

/// The largest share of the latencies' variance that steps may leave unexplained: what is left of a torus' where noise
/// of 4 % hides a part, or where pairs were measured by classes and some seem too near. What messages take refuses what
/// is not so.
constexpr double kMostUnexplained = 0.4;
/// Means that are no further apart are the same, but for rounding.
constexpr double kSameMean = 1 + 1e-9;
/// How many times the least share another network's may be.
constexpr double kMuchMore = 2;

}  // namespace

double unexplained(const HostDistances& distances, const Steps& steps) {
  std::map<int, std::pair<double, double>> sums;  // of latencies by steps, and their number
  double sum = 0;
  double count = 0;
  const auto for_each = [&](const auto& visit) {
    for (int a = 0; a < distances.hosts(); ++a) {
      for (int b = 0; b < distances.hosts(); ++b) {
        if (a != b && distances.latency(a, b) >= 0) {
          visit(steps(a, b), distances.latency(a, b));
        }
      }
    }
  };
  for_each([&](int of, double latency) {
    sums[of].first += latency;
    sums[of].second += 1;
    sum += latency;
    count += 1;
  });
  double within = 0;
  double whole = 0;
  for_each([&](int of, double latency) {
    const double mean = sums[of].first / sums[of].second;
    within += (latency - mean) * (latency - mean);
    whole += (latency - sum / count) * (latency - sum / count);
  });
  const auto falls = std::adjacent_find(sums.begin(), sums.end(), [](const auto& near, const auto& far) {
    return far.second.first / far.second.second <= kSameMean * near.second.first / near.second.second;
  });
  return sums.size() > 1 && falls == sums.end() ? within / whole : 1;
}

void append_best(Explanations&& all, std::vector<NetworkStructure>& networks) {
  double most = kMostUnexplained;
  for (const auto& [share, network] : all) {
    most = std::min(most, std::max(kFewUnexplained, kMuchMore * share));
  }
  for (auto& [share, network] : all) {
    if (share <= most) {
      networks.push_back(std::move(network));
    }
  }
}

}  // namespace postage
