#pragma once

#include "base/json_fields.hpp"

#include <postage/platform/platform.hpp>

namespace postage {

// Parts of the platform file that other files hold too.
[[nodiscard]] nlohmann::json to_json(const Node& node);
[[nodiscard]] Node read_node(const JsonField& field);
[[nodiscard]] nlohmann::json to_json(const RankPlace& place);
[[nodiscard]] RankPlace read_place(const JsonField& field);

}  // namespace postage
