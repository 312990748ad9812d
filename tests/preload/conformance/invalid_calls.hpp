#pragma once

#include "mistakes.hpp"

namespace postage {

/// Calls that no MPI accepts: the program's error handler must see the library's own error, once.
void check_invalid_calls(Mistakes& mistakes);

}  // namespace postage
