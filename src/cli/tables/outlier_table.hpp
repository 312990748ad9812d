#pragma once

#include <postage/base/json.hpp>
#include <postage/validate/outliers.hpp>

namespace postage {

void print_outliers(const OutlierReport& report);
/// Sizes in bytes, times in seconds, `slower` as a share.
[[nodiscard]] Json to_json(const OutlierReport& report);

}  // namespace postage
