#include "optimize/difference/sample_predictions.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr std::size_t kMostSampleRanks = 16;

struct SampleCollective {
  Collective collective;
  const char* algorithm;
};

constexpr std::array<SampleCollective, 3> kSampleCollectives{
    {{Collective::kBcast, "binomial"}, {Collective::kAllgather, "ring"}, {Collective::kAlltoall, "linear"}}};
constexpr std::array<Bytes, 3> kSampleSizes{Bytes{1} << 10, Bytes{64} << 10, Bytes{1} << 20};

}  // namespace

std::map<std::string, double> sample_predictions(const Platform& platform, const ParameterTable& table) {
  std::vector<RankPlacement> ranks = platform.ranks;
  ranks.resize(std::min(ranks.size(), kMostSampleRanks));
  std::map<std::string, double> seconds;
  if (ranks.size() < 2) {
    return seconds;
  }
  const auto count = static_cast<Rank>(ranks.size());
  try {
    const PlatformModel model(table, platform.channels,
                              ChannelMap(platform, Mapping::explicit_placements(std::move(ranks))));
    for (const auto& [collective, name] : kSampleCollectives) {
      for (const Bytes bytes : kSampleSizes) {
        const Algorithm& algorithm = find_algorithm(collective, name);
        seconds[fmt::format("{} {} of {}", name_of(collective), name, format_bytes(bytes))] =
            predict(build_schedule(algorithm, {.ranks = count, .bytes = bytes}), model).seconds;
      }
    }
  } catch (const Error&) {
    // A model that this program does not know, or one whose parameters do not fit together any more.
    seconds.clear();
  }
  return seconds;
}

}  // namespace postage
