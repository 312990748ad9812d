#pragma once

#include "papers/ali/blade_points.hpp"

namespace postage::ali_paper {

/// Which term of a table's formula is too much or too little at this point, where that is known; else empty.
[[nodiscard]] std::string missing_term(const StudyPoint& point);

}  // namespace postage::ali_paper
