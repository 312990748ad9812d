#include "papers/ali/table_times.hpp"
#include "papers/builtin_papers.hpp"

namespace postage::ali_paper {
namespace {

constexpr PrintedTime kBarrierTimes[] = {
    {.what = "recursive doubling, one chip, p = 8: 3 L(1)",
     .formula = "ali-barrier-recursive-doubling",
     .ranks = 8,
     .lower_us = 0.933},
    {.what = "recursive doubling, one chip, p = 6: (2 + 2) L(1)",
     .formula = "ali-barrier-recursive-doubling",
     .ranks = 6,
     .lower_us = 1.244},
    {.what = "recursive doubling, two chips, p = 16: 3 L_1(1) + L_2(1)",
     .formula = "ali-barrier-recursive-doubling",
     .ranks = 16,
     .lower_us = 1.51},
    {.what = "recursive doubling, two chips, p = 11: (3 + 1) L_1(1) + L_2(1)",
     .formula = "ali-barrier-recursive-doubling",
     .ranks = 11,
     .lower_us = 1.821,
     .evaluator_note = "elements 8 to 10 signal 0 to 2 across the chips before the rounds and get signals from them "
                       "afterwards: 3 L_1(1) + 2 L_2(1) = 2.087 us (see the misprints)"},
    {.what = "Bruck, one chip, p = 5: 3 L(1)", .formula = "ali-barrier-bruck", .ranks = 5, .lower_us = 0.933},
    {.what = "Bruck, two chips, p = 13: 4 max[L_1(1), L_2(1)]",
     .formula = "ali-barrier-bruck",
     .ranks = 13,
     .lower_us = 2.308},
    {.what = "gather-broadcast, one chip, p = 5: 2 3 L(1)",
     .formula = "ali-barrier-gather-broadcast",
     .ranks = 5,
     .lower_us = 1.866},
    {.what = "gather-broadcast, two chips, p = 13: 2 [L_2(1) + 3 L_1(1)]",
     .formula = "ali-barrier-gather-broadcast",
     .ranks = 13,
     .lower_us = 3.02},
    {.what = "one-to-all, one chip, p = 7: 5 g(1) + 2 L(1) + X, X <= 5 g_Ack",
     .formula = "ali-barrier-one-to-all",
     .ranks = 7,
     .lower_us = 1.107,
     .upper_us = 1.312},
    {.what = "one-to-all, two chips, p = 13: 2 (L_1(1) + L_2(1)) + 6 g_1(1) + 4 g_2(1) + X",
     .formula = "ali-barrier-one-to-all",
     .ranks = 13,
     .lower_us = 3.042,
     .upper_us = 3.524},
};

ExhibitResult barrier_times(PaperContext&) {
  return compare_times("barrier", kBarrierTimes);
}

}  // namespace

Exhibits table_1() {
  return {
      {.kind = ExhibitKind::kTable,
       .number = "1",
       .caption = "barriers",
       .where = {"src/predict/formulas/ali.cpp#recursive_doubling_barrier",
                 "src/predict/formulas/ali.cpp#bruck_barrier", "src/predict/formulas/ali.cpp#gather_broadcast_barrier",
                 "src/predict/formulas/ali.cpp#one_to_all_barrier",
                 "src/schedule/algorithms/barrier.cpp#recursive-doubling",
                 "src/schedule/algorithms/barrier.cpp#dissemination", "src/schedule/algorithms/barrier.cpp#tree",
                 "src/schedule/algorithms/barrier.cpp#linear"},
       .command = two_chips_command("barrier", "ali-barrier-one-to-all", "-P 13"),
       .compute = barrier_times}};
}

}  // namespace postage::ali_paper
