#include <postage/optimize/resources.hpp>
#include <postage/predict/what_if.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr double kWorthBuying = 0.99;

PlatformModel changed_model(const PlatformModel& model, const Platform& platform, const ResourceChange& change) {
  const std::array changes{change};
  PlatformModel other = model.with_table(with_changes(model.table(), platform, changes));
  if (platform.network && !model.channels().is_single()) {
    other = other.with_channels(model.channels().with_network(with_changes(*platform.network, changes)));
  }
  return other;
}

}  // namespace

std::vector<ResourceGain> resource_gains(const Schedule& schedule, const PlatformModel& model, const Platform& platform,
                                         const Prediction& now) {
  std::vector<ResourceGain> gains;
  for (const std::string& resource : resources_of(platform, model.table())) {
    const ResourceChange change = twice_as_good(resource);
    const Prediction then = predict(schedule, changed_model(model, platform, change), now.evaluator);
    if (then.seconds < kWorthBuying * now.seconds) {
      gains.push_back({fmt::format("{}={}", resource, change.factor > 1 ? "x2" : "/2"), then});
    }
  }
  std::ranges::stable_sort(gains, {}, [](const ResourceGain& gain) { return gain.prediction.seconds; });
  return gains;
}

}  // namespace postage
