#pragma once

#include <postage/tuning/library.hpp>

namespace postage {

// Releases that are taken where none is named.
inline constexpr LibraryVersion kUsualOpenMpi{4, 1, 4};
inline constexpr LibraryVersion kUsualMpich{4, 0, 2};
inline constexpr LibraryVersion kUsualUcc{1, 3, 0};
inline constexpr LibraryVersion kUsualIntel{2021, 10, 0};

}  // namespace postage
