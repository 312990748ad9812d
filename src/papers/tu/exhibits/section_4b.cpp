#include "papers/builtin_papers.hpp"
#include "papers/tu/by_hand.hpp"

namespace postage::tu_paper {
namespace {

constexpr std::int64_t kHandRanks = 64;
constexpr std::int64_t kHandNodes = 8;
constexpr const char* kLog3P = "o_mw=20us,l_mw=0/8:30us,o_net=100us";
constexpr const char* kParameters =
    "For o = 10 us, l = 6 us; o' = 20 us, l' = 30 us, o'_net = 100 us, P = 64 on 8 nodes.";

ExhibitResult linear_log_3p(PaperContext&) {
  return {.rows = {number_row("the formula: 64 (10 + 15) + 100 us", 1700e-6,
                              closed_form::linear_bcast(hand_network(), kHandRanks, kHandBytes, kHandStrides.stride),
                              AxisUnit::kSeconds),
                   number_row("the evaluator", 1700e-6, hand_bcast("linear", hand_model("log3p", kLog3P)),
                              AxisUnit::kSeconds)},
          .why = kParameters};
}

ExhibitResult linear_two_log(PaperContext&) {
  const auto printed = closed_form::linear_bcast_as_printed(hand_node(), hand_network(), kHandRanks, kHandNodes,
                                                            kHandBytes, kHandStrides.stride);
  const auto complete =
      closed_form::linear_bcast(hand_node(), hand_network(), kHandRanks, kHandNodes, kHandBytes, kHandStrides.stride);
  PaperRow evaluator = number_row("the evaluator", 1556e-6,
                                  hand_bcast("linear", hand_model("2log23p", hand_parameters())), AxisUnit::kSeconds);
  evaluator.note = "25 us more: the last receiver's half, which the print leaves out";
  return {.rows = {number_row("as printed: 7 (5 + 3) + 56 (10 + 15) + 100 us", 1556e-6, printed, AxisUnit::kSeconds),
                   number_row("with the last receiver's half: 7 (5 + 3) + 57 (10 + 15) + 100 us", 1581e-6, complete,
                              AxisUnit::kSeconds),
                   evaluator},
          .why = std::string(kParameters) +
                 " The evaluator follows every message, so that the last receiver's half "
                 "is in its time; see the misprints."};
}

ExhibitResult binomial_log_3p(PaperContext&) {
  return {.rows = {number_row("the formula: 6 (20 + 30 + 100) us", 900e-6,
                              closed_form::binomial_bcast(hand_network(), kHandRanks, kHandBytes, kHandStrides.stride),
                              AxisUnit::kSeconds),
                   number_row("the evaluator", 900e-6, hand_bcast("binomial", hand_model("log3p", kLog3P)),
                              AxisUnit::kSeconds)},
          .why = kParameters};
}

ExhibitResult binomial_two_log(PaperContext&) {
  const auto formula = [](std::int64_t within) {
    return closed_form::binomial_bcast(hand_node(), hand_network(), kHandRanks, within, kHandBytes,
                                       kHandStrides.stride);
  };
  const auto within = [](Rank root) {
    return static_cast<double>(closed_form::transfers_within_node(Mapping::block(8, 8), kHandRanks, root));
  };
  return {
      .rows = {number_row("n = 3: 3 (10 + 6) + 3 (20 + 30 + 100) us", 498e-6, formula(3), AxisUnit::kSeconds),
               number_row("the evaluator, root 0", 498e-6,
                          hand_bcast("binomial", hand_model("2log23p", hand_parameters())), AxisUnit::kSeconds),
               number_row("n = 2: 2 (10 + 6) + 4 (20 + 30 + 100) us", 632e-6, formula(2), AxisUnit::kSeconds),
               number_row("n for root 0: 0, 32, 48, 56 | 60, 62, 63", 3, within(0), AxisUnit::kNumber),
               number_row("n for root 4: 4, 36, 52, 60 | 0 | 2, 3", 2, within(4), AxisUnit::kNumber)},
      .why = std::string(kParameters) + " n follows from the root's place: the way passes P/2, P/4, ..., 1 ranks on."};
}

}  // namespace

Exhibits section_4b() {
  const std::string job = "postage predict bcast -P 64 -m 4K --stride 8 --nodes 8 --per-node 8 ";
  return {
      {.kind = ExhibitKind::kEquation,
       .number = "IV.B-linear-log3P",
       .caption = "linear broadcast by log_3P",
       .where = {"src/predict/formulas/tu.cpp#linear_bcast", "src/predict/formulas/papers/tu.cpp#tu-linear-log3p"},
       .command = job + "--model log3p --params " + kLog3P + " --formula tu-linear-log3p",
       .compute = linear_log_3p},
      {.kind = ExhibitKind::kEquation,
       .number = "IV.B-linear-2log",
       .caption = "linear broadcast by 2log_{2,3}P",
       .where = {"src/predict/formulas/tu.cpp#linear_bcast_as_printed",
                 "src/predict/formulas/papers/tu.cpp#tu-linear-2log23p"},
       .command = job + "--model 2log23p --params \"" + hand_parameters() + "\" --formula tu-linear-2log23p",
       .compute = linear_two_log},
      {.kind = ExhibitKind::kEquation,
       .number = "IV.B-tree-log3P",
       .caption = "binomial tree broadcast by log_3P",
       .where = {"src/predict/formulas/tu.cpp#binomial_bcast", "src/predict/formulas/papers/tu.cpp#tu-binomial-log3p"},
       .command = job + "--model log3p --params " + kLog3P + " --formula tu-binomial-log3p",
       .compute = binomial_log_3p},
      {.kind = ExhibitKind::kEquation,
       .number = "IV.B-tree-2log",
       .caption = "binomial tree broadcast by 2log_{2,3}P",
       .where = {"src/predict/formulas/tu.cpp#binomial_bcast", "src/predict/formulas/tu.cpp#transfers_within_node",
                 "src/predict/formulas/papers/tu.cpp#tu-binomial-2log23p"},
       .command = job + "--model 2log23p --params \"" + hand_parameters() + "\" --formula tu-binomial-2log23p",
       .compute = binomial_two_log}};
}

}  // namespace postage::tu_paper
