#pragma once

#include <postage/launch/virtual_cluster.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// How the hosts of a random platform are joined.
enum class NetworkFamily : std::uint8_t {
  kStar,
  kFatTree,
  kTorus2d,
  kTorus3d,
  kDragonfly,
  kDumbbell,
  kTwoRails,
  kClusterStar,  ///< this and what follows: by SimGrid's own tag for clusters
  kClusterBackbone,
  kClusterFatTree,
  kClusterTorus,
  kClusterDragonfly
};

/// "star", "fat tree", "2-D torus", ...
[[nodiscard]] std::string_view name_of(NetworkFamily family);

/// A link in one direction.
struct NetworkLink {
  std::string name;
  double bandwidth = 0;  ///< bytes per second, shared by all messages on it
  Seconds latency = 0;
  bool operator==(const NetworkLink&) const = default;
};

/// Hosts, links in one direction, and the links that messages from one host to another cross.
struct HostNetwork {
  int hosts = 0;
  std::vector<NetworkLink> links;
  std::vector<std::vector<int>> routes;  ///< [source * hosts + target], indices of links in their order

  [[nodiscard]] const std::vector<int>& route(int source, int target) const {
    return routes[static_cast<std::size_t>(source) * static_cast<std::size_t>(hosts) +
                  static_cast<std::size_t>(target)];
  }
};

/// How messages are passed on a random platform.
struct RandomProtocol {
  /// Messages below this leave at once, whether they are awaited or not; those from it on when they are awaited.
  Bytes async_small_below = 0;
  /// Messages from this on keep their sender until they have arrived; nothing where none does.
  std::optional<Bytes> detached_below{};
  bool has_factors = false;     ///< SMPI's own piecewise factors of latency and bandwidth
  bool has_contention = false;  ///< SimGrid's model of InfiniBand's contention, beside its factors
  double noise = 0;             ///< as VirtualMachine::noise
};

/// A simulated cluster that nobody designed: everything about it follows from the seed.
struct RandomPlatform {
  std::uint64_t seed = 0;
  NetworkFamily family = NetworkFamily::kStar;
  std::string title;    ///< what was drawn, in a line
  HostNetwork network;  ///< without links and routes where SimGrid makes them
  /// Of SimGrid's tag for clusters, where it makes links and routes.
  std::string cluster_attributes{};
  int ranks_per_host = 1;
  NetworkLink memory{};  ///< of each host, shared by all of its ranks' messages; where it has several
  std::vector<VirtualHost> hosts{};
  RandomProtocol protocol{};

  [[nodiscard]] std::string name() const { return "seed" + std::to_string(seed); }
  [[nodiscard]] int ranks() const { return network.hosts * ranks_per_host; }
};

inline constexpr std::uint64_t kFirstClusterSeed = 1'000'000;

/// The platform of a seed: 8 to 64 hosts and no more than 64 ranks. Its family is the seed modulo the number of
/// families; all else is drawn. From kFirstClusterSeed on they are clusters as SimGrid's own tag describes them, with
/// SMPI's settings. The same on every machine.
[[nodiscard]] RandomPlatform random_platform(std::uint64_t seed);

/// Files for smpirun, with a rank after the other on each host. Writes them into `folder`; the same bytes on every
/// call. Throws Error for a platform with noise where the library that makes it was not built.
[[nodiscard]] VirtualClusterFiles write_random_platform(const RandomPlatform& platform,
                                                        const std::filesystem::path& folder);

/// The seed of "seed:17"; nothing for other names. Throws UsageError where what follows is no seed.
[[nodiscard]] std::optional<std::uint64_t> seed_of(const std::string& name);

}  // namespace postage
