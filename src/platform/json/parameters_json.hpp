#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/platform/parameters.hpp>

namespace postage {

[[nodiscard]] Json to_json(const ParameterTable& table);
[[nodiscard]] ParameterTable read_table(const JsonField& field);

}  // namespace postage
