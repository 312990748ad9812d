#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/samples/samples.hpp>

namespace postage {

[[nodiscard]] Json to_json(const MeasureSettings& settings);
/// Throws Error naming the field that is missing or wrong.
[[nodiscard]] MeasureSettings read_settings(const JsonField& field);

}  // namespace postage
