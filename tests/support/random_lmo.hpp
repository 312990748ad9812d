#pragma once

#include <postage/model/model.hpp>
#include <postage/predict/platform_model.hpp>
#include <postage/schedule/algorithms.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace postage::test {

/// One measured rank on each node, with these parameters of LMO.
[[nodiscard]] inline PlatformModel lmo_platform(const std::string& parameters, Rank ranks) {
  Platform platform{.channels = {kInterNode}};
  for (Rank rank = 0; rank < ranks; ++rank) {
    platform.nodes.push_back({"n", {{{0, 0, 0, 0}}}});
    platform.ranks.push_back({rank, 0});
  }
  return {parse_parameters("lmo", parameters), {kInterNode}, ChannelMap(platform, Mapping::block(ranks, 1))};
}

/// Heterogeneous platforms and blocks at random: processors' delays of 2 to 200 us and 0.1 to 10 ns a byte, links of 10
/// MB/s to 1 GB/s with latencies of 1 to 100 us, evenly on logarithmic scales.
class RandomLmo {
 public:
  explicit RandomLmo(std::uint64_t seed) : random_(seed) {}

  /// `limits` stands before the processors, like "S=64K,".
  [[nodiscard]] PlatformModel platform(Rank ranks, const std::string& limits = "") {
    std::string text = limits + "C=1s,t=1s,beta=1B/s";
    for (Rank rank = 0; rank < ranks; ++rank) {
      text += "[processor " + std::to_string(rank) + "]C=" + number(2, 200) + "us,t=" + number(0.1, 10) + "ns";
    }
    for (Rank a = 0; a < ranks; ++a) {
      for (Rank b = a + 1; b < ranks; ++b) {
        text += "[pair " + std::to_string(a) + " " + std::to_string(b) + "]beta=" + number(10, 1000) +
                "MB/s,L=" + number(1, 100) + "us";
      }
    }
    return lmo_platform(text, ranks);
  }

  /// One of ten has none.
  [[nodiscard]] std::vector<Bytes> blocks(Rank ranks) {
    std::vector<Bytes> bytes;
    for (Rank rank = 0; rank < ranks; ++rank) {
      bytes.push_back(share() < 0.1 ? 0 : static_cast<Bytes>(between(1, 262144)));
    }
    return bytes;
  }

  [[nodiscard]] double between(double least, double most) { return least * std::pow(most / least, share()); }
  [[nodiscard]] Rank rank_below(Rank ranks) { return static_cast<Rank>(random_() % static_cast<std::uint64_t>(ranks)); }

 private:
  [[nodiscard]] double share() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  [[nodiscard]] std::string number(double least, double most) { return std::to_string(between(least, most)); }

  std::mt19937_64 random_;
};

}  // namespace postage::test
