#pragma once

#include <string>
#include <vector>

namespace postage {

/// Part of a drawing, and where it ends.
struct PlacedDrawing {
  std::string svg;
  double right = 0;
  double bottom = 0;
};

/// The hosts of a torus as grids, one for each position along the third and further dimensions, numbered; nothing where
/// there are too many to be told apart.
[[nodiscard]] PlacedDrawing draw_torus(const std::vector<int>& lengths, double left, double top);

}  // namespace postage
