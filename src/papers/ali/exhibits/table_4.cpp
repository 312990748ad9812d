#include "papers/ali/table_times.hpp"
#include "papers/builtin_papers.hpp"

namespace postage::ali_paper {
namespace {

constexpr PrintedTime kReduceTimes[] = {
    {.what = "binomial, one chip, p = 8: 3 [L(m) + L(1) + gamma m]",
     .formula = "ali-reduce-binomial",
     .ranks = 8,
     .bytes = 1000,
     .lower_us = 2.091456},
    {.what = "binomial, one chip, p = 6: 2 [L(m) + L(1) + gamma m]",
     .formula = "ali-reduce-binomial",
     .ranks = 6,
     .bytes = 1000,
     .lower_us = 1.394304,
     .evaluator_note =
         "the root of 6 takes in 3 messages, one after another: ceil(log2 p) and not its floor (see the misprints)"},
    {.what = "binomial, two chips, p = 16: 3 [L_1(m) + L_1(1) + gamma m] + L_2(m) + L_2(1) + gamma m",
     .formula = "ali-reduce-binomial",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 3.39736},
    {.what = "binomial, two chips, p = 11: as for p = 16",
     .formula = "ali-reduce-binomial",
     .ranks = 11,
     .bytes = 1000,
     .lower_us = 3.39736},
    {.what = "reduce-scatter + gather, one chip, p = 8: 2 [L(m) + L(2m) + L(4m)] + 7 gamma m + 6 L(1)",
     .formula = "ali-reduce-scatter-gather",
     .ranks = 8,
     .bytes = 8000,
     .lower_us = 4.629912},
    {.what = "reduce-scatter + gather, two chips, p = 16: 2 [L_1(m) + L_1(2m) + L_1(4m) + L_2(8m)] + 15 gamma m + 6 "
             "L_1(1) + 2 L_2(1) + C(8m, 16)",
     .formula = "ali-reduce-scatter-gather",
     .ranks = 16,
     .bytes = 16000,
     .lower_us = 9.764368},
};

ExhibitResult reduce_times(PaperContext&) {
  return compare_times("reduce", kReduceTimes);
}

}  // namespace

Exhibits table_4() {
  return {{.kind = ExhibitKind::kTable,
           .number = "4",
           .caption = "reductions",
           .where = {"src/predict/formulas/ali.cpp#binomial_reduce",
                     "src/predict/formulas/ali.cpp#reduce_scatter_gather_reduce",
                     "src/schedule/algorithms/reduce.cpp#binomial",
                     "src/schedule/algorithms/reduce.cpp#reduce-scatter-gather"},
           .command = two_chips_command("reduce", "ali-reduce-scatter-gather", "-P 16 -m 16000"),
           .compute = reduce_times}};
}

}  // namespace postage::ali_paper
