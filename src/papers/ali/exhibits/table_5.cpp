#include "papers/ali/table_times.hpp"
#include "papers/builtin_papers.hpp"

namespace postage::ali_paper {
namespace {

constexpr PrintedTime kAllreduceTimes[] = {
    {.what = "recursive doubling, one chip, p = 8: 3 [L(m) + 2 L(1) + gamma m]",
     .formula = "ali-allreduce-recursive-doubling",
     .ranks = 8,
     .bytes = 1000,
     .lower_us = 3.024456},
    {.what = "recursive doubling, two chips, p = 16: 3 [L_1(m) + 2 L_1(1) + gamma m] + L_2(m) + 2 L_2(1) + gamma m + "
             "C(m, 16)",
     .formula = "ali-allreduce-recursive-doubling",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 5.339008},
    {.what = "reduce-scatter + rd-allgather, one chip, p = 8: 2 [L(m) + L(2m) + L(4m)] + 7 gamma m + 6 L(1)",
     .formula = "ali-allreduce-reduce-scatter-allgather",
     .ranks = 8,
     .bytes = 8000,
     .lower_us = 4.629912},
    {.what = "reduce-scatter + rd-allgather, two chips, p = 16: 2 [L_1(m) + L_1(2m) + L_1(4m) + L_2(8m)] + 15 gamma m "
             "+ 6 L_1(1) + 2 L_2(1) + 2 C(8m, 16)",
     .formula = "ali-allreduce-reduce-scatter-allgather",
     .ranks = 16,
     .bytes = 16000,
     .lower_us = 10.315016},
    {.what = "reduce-scatter + gather + broadcast, one chip, p = 8: as above and 3 [L(m) + L(1)]",
     .formula = "ali-allreduce-reduce-scatter-gather-bcast-printed",
     .ranks = 8,
     .bytes = 8000,
     .lower_us = 6.652368,
     .evaluator_note = "the vector has p m bytes, all of which the last phase sends (see the misprints)"},
    {.what = "reduce-scatter + gather + broadcast of p m bytes, one chip, p = 8",
     .formula = "ali-allreduce-reduce-scatter-gather-bcast",
     .ranks = 8,
     .bytes = 8000,
     .lower_us = 7.765368},
    {.what = "reduce-scatter + gather + broadcast, two chips, p = 16: as above with one C, and 3 [L_1(m) + L_1(1)] + "
             "L_2(m) + L_2(1)",
     .formula = "ali-allreduce-reduce-scatter-gather-bcast-printed",
     .ranks = 16,
     .bytes = 16000,
     .lower_us = 13.069728,
     .evaluator_note = "the vector has p m bytes, all of which the last phase sends (see the misprints)"},
    {.what = "reduce-scatter + gather + broadcast of p m bytes, two chips, p = 16",
     .formula = "ali-allreduce-reduce-scatter-gather-bcast",
     .ranks = 16,
     .bytes = 16000,
     .lower_us = 17.419728},
    {.what = "HybridA-2-8, two chips, p = 16: 2 [L_1(m) + L_1(1)] + gamma m + rounds 2 to 4",
     .formula = "ali-allreduce-hybridA",
     .ranks = 16,
     .bytes = 1000,
     .x = 2,
     .lower_us = 4.256504},
    {.what = "HybridA-3-4, two chips, p = 16: 4 [L_1(m) + L_1(1)] + 2 gamma m + rounds 3 to 4",
     .formula = "ali-allreduce-hybridA",
     .ranks = 16,
     .bytes = 1000,
     .x = 3,
     .lower_us = 4.807328},
    {.what = "HybridA-4-2, two chips, p = 16: 6 [L_1(m) + L_1(1)] + 3 gamma m + round 4",
     .formula = "ali-allreduce-hybridA",
     .ranks = 16,
     .bytes = 1000,
     .x = 4,
     .lower_us = 5.419816},
    {.what = "HybridB-2-8, two chips, p = 16: reduce-scatter and hybrid-2-8 all-gather",
     .formula = "ali-allreduce-hybridB",
     .ranks = 16,
     .bytes = 16000,
     .x = 2,
     .lower_us = 11.469512},
    {.what = "HybridB-3-4, two chips, p = 16: reduce-scatter and hybrid-3-4 all-gather",
     .formula = "ali-allreduce-hybridB",
     .ranks = 16,
     .bytes = 16000,
     .x = 3,
     .lower_us = 12.781336},
    {.what = "HybridB-4-2, two chips, p = 16: reduce-scatter and hybrid-4-2 all-gather",
     .formula = "ali-allreduce-hybridB",
     .ranks = 16,
     .bytes = 16000,
     .x = 4,
     .lower_us = 14.171824},
};

ExhibitResult allreduce_times(PaperContext&) {
  return compare_times("allreduce", kAllreduceTimes);
}

}  // namespace

Exhibits table_5() {
  return {
      {.kind = ExhibitKind::kTable,
       .number = "5",
       .caption = "all-reductions",
       .where = {"src/predict/formulas/ali.cpp#recursive_doubling_allreduce",
                 "src/predict/formulas/ali.cpp#reduce_scatter_allgather_allreduce",
                 "src/predict/formulas/ali.cpp#reduce_scatter_gather_bcast_allreduce",
                 "src/predict/formulas/ali.cpp#hybrid_a_allreduce", "src/predict/formulas/ali.cpp#hybrid_b_allreduce",
                 "src/schedule/algorithms/allreduce.cpp#recursive-doubling",
                 "src/schedule/algorithms/allreduce.cpp#reduce-scatter-rd-allgather",
                 "src/schedule/algorithms/allreduce.cpp#reduce-scatter-gather-bcast",
                 "src/schedule/algorithms/allreduce.cpp#hybridA", "src/schedule/algorithms/allreduce.cpp#hybridB"},
       .command = two_chips_command("allreduce", "ali-allreduce-hybridB", "-P 16 -m 16000 --set x=3"),
       .compute = allreduce_times}};
}

}  // namespace postage::ali_paper
