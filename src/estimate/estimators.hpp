#pragma once

#include <postage/estimate/estimator.hpp>

#include <vector>

namespace postage {

/// Those of src/estimate/models/. The build generates it: each of the sources there, NAME.cpp, defines
/// `Estimator NAME()` in namespace postage::model_estimators.
[[nodiscard]] std::vector<Estimator> builtin_estimators();

/// All of them, in the order of their models.
[[nodiscard]] const std::vector<Estimator>& estimators();

}  // namespace postage
