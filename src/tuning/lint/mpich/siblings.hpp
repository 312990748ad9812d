#pragma once

#include "tuning/lint/findings.hpp"

#include <postage/base/json_lines.hpp>

#include <cstddef>

namespace postage {

/// An object that holds an algorithm and more.
void check_beside_leaf(const JsonLine& object, LintFindings& findings);

/// A member that those before it hide.
void check_sequence(const JsonLine& object, std::size_t at, LintFindings& findings);

}  // namespace postage
