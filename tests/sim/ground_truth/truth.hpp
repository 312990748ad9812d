#pragma once

#include <postage/base/error.hpp>
#include <postage/platform/platform.hpp>

#include <string>

namespace postage::test {

inline constexpr double kOnePercent = 0.01;
inline constexpr double kEnvelope = 16;  ///< bytes that SMPI adds to each message on the wire

/// The parameters that were estimated for a model. Throws Error if there are none.
inline const ParameterTable& table_of(const Platform& platform, const std::string& model) {
  for (const ParameterTable& table : platform.models) {
    if (table.model == model) {
      return table;
    }
  }
  throw Error("no " + model);
}

}  // namespace postage::test
