#pragma once

namespace postage {

/// Every collective algorithm with its parameters, the numbers of ranks that it supports, and its names in other
/// libraries.
void print_algorithms();

}  // namespace postage
