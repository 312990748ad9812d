#include "launch/random/clusters.hpp"
#include "launch/random/networks.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr std::array<std::string_view, 12> kFamilyNames{
    "star",      "fat tree",     "2-D torus",        "3-D torus",        "dragonfly",     "dumbbell",
    "two rails", "cluster star", "cluster backbone", "cluster fat tree", "cluster torus", "cluster dragonfly"};
constexpr std::uint64_t kFamiliesOfNetworks = 7;
constexpr double kSeveralRanks = 0.25;
constexpr double kMixed = 0.3;

RandomProtocol draw_protocol(Draws& draws) {
  constexpr double kAllEager = 0.3;
  constexpr double kTwoThresholds = 0.3;
  constexpr double kFactors = 0.3;
  constexpr double kContention = 0.3;
  constexpr double kNoise = 0.2;
  RandomProtocol protocol;
  const Bytes threshold = Bytes{1024} * draws.one_of({4, 8, 12, 16, 32, 64, 128, 256});
  const Bytes smaller = threshold / draws.one_of({2, 4, 8});
  const bool is_eager = draws.happens(kAllEager);
  const bool has_two = draws.happens(kTwoThresholds);
  protocol.async_small_below = is_eager ? 0 : has_two ? smaller : threshold;
  protocol.detached_below = is_eager ? std::nullopt : std::optional(threshold);
  protocol.has_factors = draws.happens(kFactors);
  protocol.has_contention = draws.happens(kContention) && protocol.has_factors;
  const bool is_noisy = draws.happens(kNoise);
  const double noise = draws.of_magnitude(0.02, 0.1);
  // The library that makes noise takes the place of SMPI's factors.
  protocol.noise = is_noisy && !protocol.has_factors ? noise : 0;
  return protocol;
}

/// One, two or three types of processors.
std::vector<VirtualHost> draw_hosts(std::size_t count, bool mixed, Draws& draws) {
  const VirtualHost usual{draws.of_magnitude(0.1e-6, 4e-6), draws.happens(0.5) ? draws.of_magnitude(1e-12, 1e-10) : 0};
  std::vector<VirtualHost> types{usual};
  for (int extra = draws.whole(1, 2); mixed && extra > 0; --extra) {
    const double slower = static_cast<double>(draws.whole(3, 8)) / 2;
    types.push_back({usual.overhead * slower, usual.per_byte * slower});
  }
  std::vector<VirtualHost> hosts;
  for (std::size_t i = 0; i < count; ++i) {
    hosts.push_back(types[static_cast<std::size_t>(draws.whole(0, static_cast<int>(types.size()) - 1))]);
  }
  return hosts;
}

std::string describe(const RandomProtocol& protocol) {
  std::string text = protocol.detached_below ? fmt::format("rendezvous from {}", format_bytes(*protocol.detached_below))
                                             : std::string("all eager");
  if (protocol.detached_below && protocol.async_small_below < *protocol.detached_below) {
    text += fmt::format(", awaited from {}", format_bytes(protocol.async_small_below));
  }
  if (protocol.has_factors) {
    text += protocol.has_contention ? ", SMPI's factors, contention of InfiniBand" : ", SMPI's factors";
  }
  return protocol.noise > 0 ? fmt::format("{}, noise of {:.3g} %", text, 100 * protocol.noise) : text;
}

}  // namespace

std::string_view name_of(NetworkFamily family) {
  return kFamilyNames.at(static_cast<std::size_t>(family));
}

RandomPlatform random_platform(std::uint64_t seed) {
  if (seed >= kFirstClusterSeed) {
    return draw_cluster(seed);
  }
  Draws draws(seed);
  RandomPlatform platform{.seed = seed, .family = static_cast<NetworkFamily>(seed % kFamiliesOfNetworks)};
  platform.ranks_per_host = draws.happens(kSeveralRanks) ? draws.one_of({2, 4, 8}) : 1;
  const double most = static_cast<double>(kMostRandomRanks) / platform.ranks_per_host;
  const NetworkDraw wanted{.family = platform.family,
                           .hosts = static_cast<int>(draws.of_magnitude(8, most)),
                           .bandwidth = draws.of_magnitude(1e8, 2.5e10),
                           .latency = draws.of_magnitude(0.1e-6, 1e-5),
                           .mixed_links = draws.happens(kMixed)};
  DrawnNetwork drawn = draw_network(wanted, draws);
  platform.network = std::move(drawn.network);
  platform.ranks_per_host = std::min(platform.ranks_per_host, kMostRandomRanks / platform.network.hosts);
  platform.memory = {"memory", draws.of_magnitude(2e9, 2e10), draws.of_magnitude(0.1e-6, 0.5e-6)};
  const bool mixed_hosts = draws.happens(kMixed);
  platform.hosts = draw_hosts(static_cast<std::size_t>(platform.network.hosts), mixed_hosts, draws);
  platform.protocol = draw_protocol(draws);
  const bool several = platform.ranks_per_host > 1;
  platform.title = fmt::format("{} hosts{}, {}: {}{}{}; {}", platform.network.hosts,
                               several ? fmt::format(" of {} ranks", platform.ranks_per_host) : "",
                               name_of(platform.family), drawn.shape, wanted.mixed_links ? ", hosts' links differ" : "",
                               mixed_hosts ? ", hosts differ" : "", describe(platform.protocol));
  return platform;
}

std::optional<std::uint64_t> seed_of(const std::string& name) {
  constexpr std::string_view kPrefix = "seed:";
  constexpr std::size_t kMostDigits = 18;
  if (!name.starts_with(kPrefix)) {
    return std::nullopt;
  }
  const std::string digits = name.substr(kPrefix.size());
  if (digits.empty() || digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != std::string::npos) {
    throw UsageError(fmt::format("'{}' is no random platform: give seed:NUMBER, like seed:17", name));
  }
  return std::stoull(digits);
}

}  // namespace postage
