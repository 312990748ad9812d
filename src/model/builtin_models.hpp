#pragma once

#include <postage/model/descriptor.hpp>

#include <vector>

namespace postage {

/// The descriptors of src/model/models/. The build generates it: each of the sources there, NAME.cpp, defines
/// `ModelDescriptor NAME()` in namespace postage::model_descriptors.
[[nodiscard]] std::vector<ModelDescriptor> builtin_models();

}  // namespace postage
