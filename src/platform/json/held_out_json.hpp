#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/platform/held_out.hpp>

namespace postage {

[[nodiscard]] Json to_json(const HeldOut& held_out);
[[nodiscard]] HeldOut read_held_out(const JsonField& field);

}  // namespace postage
