#pragma once

#include <postage/predict/formulas/formula.hpp>

#include <string>
#include <vector>

namespace postage::ali_paper {

inline constexpr Rank kSpesOfChip = 8;

/// A collective of Tables 1-5 on one chip (p <= 8) or two: one of the evaluation's points.
struct StudyPoint {
  std::string series;      ///< "all-gather hybrid-3-4, two chips": the points of one curve
  const Formula* formula;  ///< as the table prints it
  Rank ranks = 8;
  Bytes bytes = 0;  ///< as ScheduleRequest counts them
  ParameterValues settings{};
};

/// The paper does not list its 425 points. These are: barriers for p = 2 to 16; every algorithm of Tables 2-5 on one
/// chip and two, every hybrid x-y, 64 bytes to 32 KB by doubling: a reduction's vector or a broadcast's message in all,
/// one rank's part of an all-gather.
[[nodiscard]] std::vector<StudyPoint> study_points();

/// A series' name in a drawing of its collective: "broadcast one-to-all, two chips" is "one-to-all, two".
[[nodiscard]] std::string drawn_name(const std::string& series);

/// As `postage-blade run` reads them.
[[nodiscard]] std::string points_file(const std::vector<StudyPoint>& points);

}  // namespace postage::ali_paper
