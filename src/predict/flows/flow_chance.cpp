#include "predict/flows/flow_chance.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace postage {
namespace {

/// In [0, 1), as if by chance.
double share_of(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11U) * 0x1p-53;
}

double share_of(std::size_t rank, std::uint64_t seed) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rank) * 7919 + seed * 104'729 + 1);
  return share_of(random);
}

/// Median of the mean of two exponential values with mean 1: L and G are half of a roundtrip's median.
constexpr double kMedianOfTwo = 0.839173495008;

}  // namespace

Seconds start_of(std::size_t rank, const Flow& model, const FlowChance& chance) {
  if (!(model.host.start > 0)) {
    return chance.spread * share_of(rank, chance.seed);
  }
  const double off = chance.seed == 0 ? 0 : share_of(rank, (chance.seed + 1) / 2) - 0.5;
  return model.host.start + chance.spread * (chance.seed % 2 == 0 ? -off : off);
}

std::vector<Slowness> slowness_of(const FlowProgram& program, const FlowChance& chance) {
  const bool scatters = chance.scatters && std::any_of(program.messages.begin(), program.messages.end(),
                                                       [](const FlowMessage& m) { return m.link->host.scatter > 0; });
  std::vector<Slowness> all(scatters ? program.messages.size() : 0);
  std::mt19937_64 random(chance.seed * 15'485'863 + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double scatter = program.messages[i].link->host.scatter;
    const auto factor = [&] { return std::max(1 + scatter * (-std::log1p(-share_of(random)) - kMedianOfTwo), 0.0); };
    all[i].latency = factor();
    all[i].bytes = factor();
  }
  return all;
}

}  // namespace postage
