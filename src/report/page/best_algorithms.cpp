#include "report/page/brief.hpp"
#include "report/page/page_data.hpp"

#include <postage/base/error.hpp>
#include <postage/optimize/comparison.hpp>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr std::array<Bytes, 7> kMapSizes{8, 64, 512, 4096, 32768, 262144, 2097152};
constexpr Bytes kElement = 4;

std::vector<const Algorithm*> able_algorithms(Collective collective, Rank ranks) {
  std::vector<const Algorithm*> able;
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    if (can_do(algorithm, ranks)) {
      able.push_back(&algorithm);
    }
  }
  return able;
}

/// Null where the model cannot say: parameters of a channel are missing.
Json best_cell(Collective collective, Rank ranks, Bytes bytes, const PlatformModel& model) {
  const ComparisonRequest request{.algorithms = able_algorithms(collective, ranks),
                                  .job = {.ranks = ranks, .bytes = bytes, .element_bytes = kElement},
                                  .segments = {0, 8192, 65536}};
  try {
    const Candidate best = rank_candidates(request, model).front();
    return {{"algorithm", std::string(best.algorithm->name)},
            {"segment", best.segment},
            {"time", brief({best.prediction.seconds, best.prediction.lower, best.prediction.upper})}};
  } catch (const Error&) {
    return {};
  }
}

Json best_row(Collective collective, Rank ranks, const std::vector<Bytes>& sizes, const PlatformModel& model) {
  Json cells = Json::array();
  for (const Bytes bytes : sizes) {
    const bool once = collective == Collective::kBarrier && bytes != sizes.front();
    cells.push_back(once ? Json()
                         : best_cell(collective, ranks, collective == Collective::kBarrier ? 0 : bytes, model));
  }
  return {{"collective", name_of(collective)}, {"cells", std::move(cells)}};
}

/// Those of the map that messages of some size at least as large were measured for.
std::vector<Bytes> sizes_measured(const Platform& platform) {
  Bytes largest = 0;
  for (const MeasuredPoint& point : platform.points) {
    largest = std::max(largest, point.bytes);
  }
  std::vector<Bytes> sizes;
  std::copy_if(kMapSizes.begin(), kMapSizes.end(), std::back_inserter(sizes),
               [&](Bytes bytes) { return bytes <= largest; });
  return sizes;
}

}  // namespace

Json best_at_ends(Collective collective, const Platform& platform, const std::optional<UsedModel>& used) {
  const std::vector<Bytes> sizes = sizes_measured(platform);
  if (!used || sizes.empty()) {
    return {};
  }
  return best_row(collective, static_cast<Rank>(platform.ranks.size()), {sizes.front(), sizes.back()}, used->model);
}

Json best_algorithms(const Platform& platform, const std::optional<UsedModel>& used) {
  const std::vector<Bytes> sizes = sizes_measured(platform);
  if (!used || sizes.empty()) {
    return {};
  }
  const auto ranks = static_cast<Rank>(platform.ranks.size());
  Json map{{"model", used->model.name()}, {"ranks", ranks}, {"sizes", Json(sizes)}, {"rows", Json::array()}};
  for (int i = 0; i <= static_cast<int>(Collective::kExscan); ++i) {
    map["rows"].push_back(best_row(static_cast<Collective>(i), ranks, sizes, used->model));
  }
  return map;
}

}  // namespace postage
