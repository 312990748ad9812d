#include "estimate/network/candidates/explained.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

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

double squares_about(double mean, const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [&](double sum, double value) { return sum + (value - mean) * (value - mean); });
}

}  // namespace

double unexplained(const HostDistances& distances, const Steps& steps) {
  std::map<int, std::vector<double>> by_steps;  // latencies
  for (int a = 0; a < distances.hosts(); ++a) {
    for (int b = 0; b < distances.hosts(); ++b) {
      if (a != b && distances.latency(a, b) >= 0) {
        by_steps[steps(a, b)].push_back(distances.latency(a, b));
      }
    }
  }
  std::vector<double> all;
  for (const auto& [of, latencies] : by_steps) {
    all.insert(all.end(), latencies.begin(), latencies.end());
  }
  double within = 0;
  double before = -std::numeric_limits<double>::infinity();
  bool grows = by_steps.size() > 1;
  for (const auto& [of, latencies] : by_steps) {
    const double own = mean(latencies);
    grows = grows && own > kSameMean * before;
    within += squares_about(own, latencies);
    before = own;
  }
  return grows ? within / squares_about(mean(all), all) : 1;
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
