#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> rico_gallego_misprints() {
  const std::string tests = "tests/unit/predict/formulas_test.cpp";
  return {
      {.place = "Section 4, a segmented message by tau-Lop",
       .printed = "T_p2pS(m) = 2 L(S,1) + (k-1) L(S,2) ~ o(m) + k L(S,2)",
       .right = "o(m) + 2 L(S,1) + (k-1) L(S,2)",
       .proof = "The exact form lacks the overhead that the approximate one has, and that section 3 gives every "
                "transmission. For k = 1 it should be o(m) + 2 L(S,1), the message of section 3.",
       .where = tests + "#OfTauLopSegments"},
      {.place = "Section 4, the approximation of a segmented message in eq. 1",
       .printed = "k L(S,2) for each message",
       .right = "2 L(S,1) + (k-1) L(S,2)",
       .proof = "For a flat L = 2 us and P = k = 32 the messages take 17 + 9 + 5 + 3 + 2 = 36 transfers, 72 us; eq. 1 "
                "counts 16 + 8 + 4 + 2 + 1 = 31, 62 us. The difference, 2 L(S,1) - L(S,2) for each stage, does not "
                "become small in the last stages, where a message is one segment.",
       .where = tests + "#OfFlatTransfersCountThem"},
      {.place = "Tables 1 and 2 against the text's segments",
       .printed = "((k-1)/2)(g + S G) for a message of m/2",
       .right = "(k/2 - 1)(g + S G)",
       .proof =
           "m/2 has k/2 segments, and the text's formula has one less than the segments of further ones. Added over "
           "the stages the tables have (P-1)/P (k-1), the text k (P-1)/P - log2 P: for P = k = 8 6.125 and 4.",
       .where = tests + "#OfLogGPSegments"},
      {.place = "Section 5, the sum of messages before eq. 8",
       .printed = "(P-1)[Q || (T1(m) + T1(m))], and then eq. 8, (P-1)[L0(m,Q) + L1(m,Q) + L0(m,Q)]",
       .right = "twice eq. 8, or (P-1)[Q || T1(m)]",
       .proof =
           "T1 has the three transfers L0, L1 and L0 of the same page, so that Q || (T1 + T1) is 2 [L0(m,Q) + L1(m,Q) "
           "+ L0(m,Q)]. A rank's send and receive take place at the same time in eq. 8, one after the other before "
           "it. For 40, 240 and 40 us a stage takes 320 us by eq. 8 and 640 us by the sum.",
       .where = tests + "#OfRings"},
      {.place = "Section 5, the sum of messages before eq. 7",
       .printed = "Q || T0(m) + 1 || T1(m), and then eq. 7, L0(m,Q) + L1(m,1) + L0(m,1)",
       .right = "eq. 7 where the two messages overlap",
       .proof =
           "With T0 = 2 L0 and T1 = L0 + L1 + L0 the sum is 2 L0(m,Q) + 2 L0(m,1) + L1(m,1): L0(m,Q) + L0(m,1) more "
           "than eq. 7. Of the Q messages in Q || T0 one leaves the node, as eq. 7's max{L0(m,Q-1), L1(m,1)} says.",
       .where = tests + "#OfRings"},
      {.place = "Table 1 and 2, S G",
       .printed = "L + 2o + S G + (k-1)(g + S G)",
       .right = "(S-1) G for S G",
       .proof =
           "As the text's own exact form has it; k G more than that. 86.536 us instead of 86.528 us for k = 8, S = 8K, "
           "G = 1 ns, which the text calls approximate.",
       .where = tests + "#OfLogGPSegments"},
      {.place = "Section 4, after eq. 4",
       .printed = "Theta_RDA = 2 Theta'_Sct > 2 Theta_Sct for any m and P",
       .right = ">= ; > for P > 2 where L(S, tau) grows with tau",
       .proof = "Theta' raises the contention of every stage but the last to P. For P = 2 there is no other: k/2 L(S, "
                "2) against k L(S, 2), a ratio of exactly 2. For a flat L it is 2 for every P: 62 and 124 us for P = k "
                "= 32 and 2 us; with the exact cost of each message 72 and 124 us, 1.72.",
       .where = "tests/unit/papers/misprints_test.cpp#RecursiveDoublingCostsTwiceTheScatterForTwoProcesses"},
      {.place = "Section 4, before eq. 3",
       .printed = "T_exch >= T_p2p, because 2k transfers in a row take longer than k concurrent pairs",
       .right = "only where L(S, 2) <= 2 L(S, 1)",
       .proof = "o + 2k L(S, 1) against o + k L(S, 2): a channel that two transfers slow down by more than half each "
                "turns it round.",
       .where = "tests/unit/papers/misprints_test.cpp#RecursiveDoublingCostsTwiceTheScatterForTwoProcesses"},
  };
}

}  // namespace postage
