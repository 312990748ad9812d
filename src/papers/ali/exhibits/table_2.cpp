#include "papers/ali/table_times.hpp"
#include "papers/builtin_papers.hpp"

namespace postage::ali_paper {
namespace {

constexpr PrintedTime kBcastTimes[] = {
    {.what = "one-to-all, one chip, p = 5: 3 g(m) + L(m) + L(1) + X",
     .formula = "ali-bcast-one-to-all",
     .ranks = 5,
     .bytes = 1000,
     .lower_us = 1.05076,
     .upper_us = 1.17376},
    {.what = "one-to-all, two chips, p = 13: L_1(m) + 6 g_1(m) + L_2(m) + 4 g_2(m) + L_1(1) + L_2(1) + X",
     .formula = "ali-bcast-one-to-all",
     .ranks = 13,
     .bytes = 1000,
     .lower_us = 3.657984,
     .upper_us = 4.139984},
    {.what = "binomial-simple, one chip, p = 8: 3 [L(m) + L(1)] + 3 g(m) + X",
     .formula = "ali-bcast-binomial-simple",
     .ranks = 8,
     .bytes = 1000,
     .lower_us = 2.399064,
     .upper_us = 2.522064},
    {.what = "binomial-opt, one chip, p = 8: 3 [L(m) + L(1)]",
     .formula = "ali-bcast-binomial-opt",
     .ranks = 8,
     .bytes = 1000,
     .lower_us = 2.022456},
    {.what = "binomial-simple, two chips, p = 16: 3 [L_1(m) + L_1(1)] + L_2(m) + L_2(1) + 7 g_1(m) + X",
     .formula = "ali-bcast-binomial-simple-printed",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 4.184112,
     .upper_us = 4.471112,
     .evaluator_note = "the root's chip has 2 + 2 + 1 gaps, not 7 (see the misprints)"},
    {.what = "binomial-simple, two chips, p = 16, with the 5 gaps of section 4",
     .formula = "ali-bcast-binomial-simple",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 3.93304,
     .upper_us = 4.13804},
    {.what = "binomial-opt, two chips, p = 16: 3 [L_1(m) + L_1(1)] + L_2(m) + L_2(1)",
     .formula = "ali-bcast-binomial-opt",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 3.30536},
    {.what = "binomial-opt, two chips, p = 12: as for p = 16",
     .formula = "ali-bcast-binomial-opt",
     .ranks = 12,
     .bytes = 1000,
     .lower_us = 3.30536},
    {.what = "segmented-binomial, one chip, p = 8: 4 [L(m/2) + L(1)]",
     .formula = "ali-bcast-segmented-binomial",
     .ranks = 8,
     .bytes = 1000,
     .lower_us = 2.590608},
    {.what = "segmented-binomial, two chips, p = 16: 3 [L_1(m/2) + L_1(1)] + 2 [L_2(m/2) + L_2(1)] + C(m/2, 14)",
     .formula = "ali-bcast-segmented-binomial",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 4.740462286,
     .evaluator_note =
         "15 halves cross: 8 elements lack the left one and 7 the right one, which the root has (see the misprints)"},
    {.what = "hybrid-segmented, two chips, p = 16: 4 [L_1(m/2) + L_1(1)] + L_2(m) + L_2(1)",
     .formula = "ali-bcast-hybrid-segmented",
     .ranks = 16,
     .bytes = 1000,
     .lower_us = 3.873512},
};

ExhibitResult bcast_times(PaperContext&) {
  return compare_times("bcast", kBcastTimes);
}

}  // namespace

Exhibits table_2() {
  return {
      {.kind = ExhibitKind::kTable,
       .number = "2",
       .caption = "broadcasts",
       .where = {"src/predict/formulas/ali.cpp#one_to_all_bcast", "src/predict/formulas/ali.cpp#simple_binomial_bcast",
                 "src/predict/formulas/ali.cpp#optimised_binomial_bcast",
                 "src/predict/formulas/ali.cpp#segmented_binomial_bcast",
                 "src/predict/formulas/ali.cpp#hybrid_segmented_bcast", "src/schedule/algorithms/bcast.cpp#linear",
                 "src/schedule/algorithms/bcast.cpp#binomial-simple", "src/schedule/algorithms/bcast.cpp#binomial-opt",
                 "src/schedule/algorithms/bcast.cpp#segmented-binomial",
                 "src/schedule/algorithms/bcast.cpp#hybrid-segmented"},
       .command = two_chips_command("bcast", "ali-bcast-segmented-binomial", "-P 16 -m 1000"),
       .compute = bcast_times}};
}

}  // namespace postage::ali_paper
