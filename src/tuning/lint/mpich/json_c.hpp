#pragma once

#include <string>
#include <string_view>

namespace postage {

/// How many objects json_tokener_parse, which MPICH calls, reads in one another, empty ones too.
inline constexpr int kDeepestForJsonC = 32;

/// What json-c takes beyond JSON and comments, written as JSON: strings in single quotes, and a comma behind the last
/// member. Lines and columns stay.
[[nodiscard]] std::string as_json(std::string_view text);

}  // namespace postage
