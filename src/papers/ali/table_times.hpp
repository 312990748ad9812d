#pragma once

#include <postage/papers/exhibit.hpp>
#include <postage/schedule/schedule.hpp>

#include <span>
#include <string_view>

namespace postage::ali_paper {

/// A row of Tables 1-5 for one p and m, its time worked out from the print by a script that knows the tables only.
/// Parameters are odd, so that no term can stand for another: L_1(m) = 0.311 us + 0.053 ns (m - 16), g_1(m) = 0.097 us
/// + 0.029 ns (m - 16), L_2(m) = 0.577 us + 0.131 ns (m - 16), g_2(m) = 0.171 us + 0.067 ns (m - 16), C(m, n) =
/// (0.419 us + 0.017 ns (m - 256)) (n - 2)/14 for m > 256 and n > 2, gaps of acknowledgements 0.041 and 0.059 us,
/// gamma = 0.023 ns; one chip's L and g are L_1 and g_1.
struct PrintedTime {
  std::string_view what;                 ///< "recursive doubling, one chip, p = 8: 3 L(1)"
  std::string_view formula;              ///< ours
  Rank ranks = 8;                        ///< more than 8 are on two chips
  Bytes bytes = 0;                       ///< as ScheduleRequest counts them
  Index x = 0;                           ///< a hybrid's switching round
  double lower_us = 0;                   ///< for X = 0
  double upper_us = 0;                   ///< for the longest X; 0 where the row has no X
  std::string_view evaluator_note = {};  ///< why the evaluator differs
};

/// Each time beside what our printed formula and the evaluator give, of both bounds where there is an X.
[[nodiscard]] ExhibitResult compare_times(std::string_view collective, std::span<const PrintedTime> times);

/// `postage predict --formula` on two full chips with these parameters; `job` is like "-P 16 -m 1000".
[[nodiscard]] std::string two_chips_command(std::string_view collective, std::string_view formula,
                                            const std::string& job);

}  // namespace postage::ali_paper
