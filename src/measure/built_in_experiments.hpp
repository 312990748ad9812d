#pragma once

#include "measure/experiment_descriptor.hpp"

#include <vector>

namespace postage {

/// Those of experiments/, by the names of their files. The build writes this function: see CMakeLists.txt.
[[nodiscard]] std::vector<ExperimentDescriptor> built_in_experiments();

}  // namespace postage
