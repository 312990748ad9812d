#include "tuning/decide/platform_choice.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

namespace postage {

PlatformModel model_for(const Platform& platform, const TuningJob& job) {
  if (platform.models.empty()) {
    throw Error(fmt::format("{} has no model parameters; measure the platform again", platform.name));
  }
  const bool is_as_measured = platform.ranks.size() == static_cast<std::size_t>(job.ranks());
  const Mapping mapping =
      is_as_measured ? Mapping::explicit_placements(platform.ranks) : Mapping::block(job.nodes, job.per_node);
  return {most_accurate(platform.models), platform.channels, ChannelMap(platform, mapping)};
}

}  // namespace postage
