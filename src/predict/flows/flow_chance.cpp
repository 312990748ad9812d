#include "predict/flows/flow_chance.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

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

/// What a message's time is multiplied by: the exponential value that this share of others stays below.
double factor_of(double scatter, double share) {
  return std::max(1 + scatter * (-std::log1p(-share) - kMedianOfTwo), 0.0);
}

bool scatters(const FlowProgram& program) {
  return std::any_of(program.messages.begin(), program.messages.end(),
                     [](const FlowMessage& message) { return message.link->host.scatter > 0; });
}

std::uint64_t seed_of_messages(std::uint64_t seed) {
  return seed * 15'485'863 + 1;
}

/// The middles of so many equal shares of [0, 1), in an order as if by chance.
std::vector<double> even_shares(std::size_t count, std::mt19937_64& random) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < count; ++i) {
    shares.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(count));
  }
  for (std::size_t left = count; left > 1; --left) {
    std::swap(shares[left - 1], shares[random() % left]);
  }
  return shares;
}

}  // namespace

Seconds start_of(std::size_t rank, const Flow& model, const FlowChance& chance) {
  // A generator costs more than a short message's evaluation, so that none is made where it has no effect.
  if (chance.spread == 0) {
    return std::max(model.host.start, 0.0);
  }
  // Where the middle is known, the first of all is just there, and mirrored ones follow.
  const bool is_known = model.host.start > 0;
  const std::uint64_t turn = chance.seed + (is_known ? 1 : 0);
  const double off = is_known && chance.seed == 0 ? 0 : share_of(rank, turn / 2) - 0.5;
  const Seconds middle = is_known ? model.host.start : chance.spread / 2;
  return middle + chance.spread * (turn % 2 == 0 ? off : -off);
}

std::vector<Slowness> slowness_of(const FlowProgram& program, const FlowChance& chance) {
  if (!chance.scatters || !scatters(program)) {
    return {};
  }
  std::vector<Slowness> all(program.messages.size());
  std::mt19937_64 random(seed_of_messages(chance.seed));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double scatter = program.messages[i].link->host.scatter;
    all[i].latency = factor_of(scatter, share_of(random));
    all[i].bytes = factor_of(scatter, share_of(random));
  }
  return all;
}

std::vector<Slowness> even_slowness_of(const FlowProgram& program, std::uint64_t seed) {
  if (!scatters(program)) {
    return {};
  }
  std::vector<Slowness> all(program.messages.size());
  std::mt19937_64 random(seed_of_messages(seed));
  const std::vector<double> latencies = even_shares(all.size(), random);
  const std::vector<double> bytes = even_shares(all.size(), random);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double scatter = program.messages[i].link->host.scatter;
    all[i] = {factor_of(scatter, latencies[i]), factor_of(scatter, bytes[i])};
  }
  return all;
}

}  // namespace postage
