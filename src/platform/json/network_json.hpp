#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/platform/network.hpp>

#include <cstddef>

namespace postage {

[[nodiscard]] Json to_json(const NetworkStructure& network);
/// Of a platform with so many nodes.
[[nodiscard]] NetworkStructure read_network(const JsonField& field, std::size_t nodes);

}  // namespace postage
