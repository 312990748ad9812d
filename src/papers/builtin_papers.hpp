#pragma once

#include <postage/papers/paper.hpp>

#include <vector>

namespace postage {

// What the files of a paper's folder exhibits/ define, in the order of their names.
[[nodiscard]] std::vector<Exhibits> tu_exhibits();
[[nodiscard]] std::vector<Exhibits> rico_gallego_exhibits();
[[nodiscard]] std::vector<Exhibits> chai_exhibits();
[[nodiscard]] std::vector<Exhibits> lastovetsky_exhibits();
[[nodiscard]] std::vector<Exhibits> ali_exhibits();

// PAPER/misprints.cpp.
[[nodiscard]] std::vector<Misprint> tu_misprints();
[[nodiscard]] std::vector<Misprint> rico_gallego_misprints();
[[nodiscard]] std::vector<Misprint> chai_misprints();
[[nodiscard]] std::vector<Misprint> lastovetsky_misprints();
[[nodiscard]] std::vector<Misprint> ali_misprints();

}  // namespace postage
