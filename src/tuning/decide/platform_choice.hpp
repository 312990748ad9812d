#pragma once

#include <postage/predict/platform_model.hpp>
#include <postage/tuning/tune.hpp>

namespace postage {

/// The most accurate model of the platform for a job's ranks: placed as they were measured where there are as many,
/// else node after node. Throws Error where the platform has no model.
[[nodiscard]] PlatformModel model_for(const Platform& platform, const TuningJob& job);

}  // namespace postage
