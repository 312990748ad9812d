#pragma once

#include <postage/validate/validation.hpp>

namespace postage {

/// Prints the errors of each model, or, with details, of each algorithm.
void print_errors(const Validation& validation, bool details);

}  // namespace postage
