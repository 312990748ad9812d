#pragma once

#include <postage/estimate/estimate.hpp>

#include <span>
#include <vector>

namespace postage {

/// Lines (see fit_pieces) of times that repeat exactly: a line of few points that misses them leaves those at its ends
/// to its neighbours where theirs meet them, and goes through its others alone. fit_pieces gives each line three
/// points, and where protocols change twice within a few bytes, as at and beside a power of two, a line across both
/// changes would take a leap for a rate.
void mend_short_lines(std::span<const CurvePoint> points, std::vector<LinePiece>& lines);

}  // namespace postage
