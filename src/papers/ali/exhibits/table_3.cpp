#include "papers/ali/table_times.hpp"
#include "papers/builtin_papers.hpp"

namespace postage::ali_paper {
namespace {

constexpr PrintedTime kAllgatherTimes[] = {
    {.what = "recursive doubling, one chip, p = 8: L(m) + L(2m) + L(4m) + 3 L(1)",
     .formula = "ali-allgather-recursive-doubling",
     .ranks = 8,
     .bytes = 1000,
     .lower_us = 2.234456},
    {.what =
         "recursive doubling, two chips, p = 16: L_1(m) + L_1(2m) + L_1(4m) + 3 L_1(1) + L_2(8m) + L_2(1) + C(8m, 16)",
     .formula = "ali-allgather-recursive-doubling",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 4.985008},
    {.what = "hybrid-2-8, two chips, p = 16: as recursive doubling, with C(8m, 8), and L_1(16m) + L_1(1)",
     .formula = "ali-allgather-hybrid",
     .ranks = 16,
     .bytes = 1000,
     .x = 2,
     .lower_us = 6.139504},
    {.what = "hybrid-3-4, two chips, p = 16: with C(8m, 4), and 2 [L_1(16m) + L_1(1)]",
     .formula = "ali-allgather-hybrid",
     .ranks = 16,
     .bytes = 1000,
     .x = 3,
     .lower_us = 7.451328},
    {.what = "hybrid-4-2, two chips, p = 16: without C, and 3 [L_1(16m) + L_1(1)]",
     .formula = "ali-allgather-hybrid",
     .ranks = 16,
     .bytes = 1000,
     .x = 4,
     .lower_us = 8.841816},
};

ExhibitResult allgather_times(PaperContext&) {
  return compare_times("allgather", kAllgatherTimes);
}

}  // namespace

Exhibits table_3() {
  return {{.kind = ExhibitKind::kTable,
           .number = "3",
           .caption = "all-gathers",
           .where = {"src/predict/formulas/ali.cpp#recursive_doubling_allgather",
                     "src/predict/formulas/ali.cpp#hybrid_allgather",
                     "src/schedule/algorithms/allgather.cpp#recursive-doubling",
                     "src/schedule/algorithms/allgather.cpp#hybrid"},
           .command = two_chips_command("allgather", "ali-allgather-hybrid", "-P 16 -m 1000 --set x=3"),
           .compute = allgather_times}};
}

}  // namespace postage::ali_paper
