#include <postage/samples/samples_json.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace postage {
namespace {

double rounded(double value) {
  return std::strtod(fmt::format("{:.6e}", value).c_str(), nullptr);
}

constexpr double kNoInterval = std::numeric_limits<double>::infinity();

}  // namespace

Json to_json(const PairProbes& probes) {
  Json pairs = Json::array();
  for (const PairProbe& probe : probes.pairs) {
    Json row = Json::array({probe.ranks.first, probe.ranks.second});
    for (const Estimate& time : probe.times) {
      row.push_back(rounded(time.value));
      row.push_back(rounded((time.upper - time.lower) / 2));
    }
    pairs.push_back(std::move(row));
  }
  return {{"bytes", probes.sizes}, {"pairs", std::move(pairs)}};
}

PairProbes read_pair_probes(const JsonField& field, int ranks) {
  PairProbes probes;
  field["bytes"].for_each_item([&](const JsonField& bytes) { probes.sizes.push_back(bytes.count<Bytes>()); });
  field["pairs"].for_each_item([&](const JsonField& row) {
    std::vector<double> numbers;
    row.for_each_item([&](const JsonField& number) { numbers.push_back(number.bound(kNoInterval)); });
    const bool has_ranks = numbers.size() == 2 + 2 * probes.sizes.size() && numbers[0] >= 0 &&
                           numbers[0] < numbers[1] && numbers[1] < ranks;
    if (!has_ranks) {
      throw row.wrong("two ranks of the campaign, the lower one first, and a time and half its interval for each size");
    }
    PairProbe& probe = probes.pairs.emplace_back();
    probe.ranks = {static_cast<int>(numbers[0]), static_cast<int>(numbers[1])};
    for (std::size_t i = 2; i < numbers.size(); i += 2) {
      probe.times.push_back({numbers[i], numbers[i] - numbers[i + 1], numbers[i] + numbers[i + 1]});
    }
  });
  return probes;
}

}  // namespace postage
