#pragma once

#include "mistakes.hpp"

namespace postage {

/// Collectives between the odd and the even ranks, which pass through: results must be the library's.
void check_intercommunicators(Mistakes& mistakes);

}  // namespace postage
