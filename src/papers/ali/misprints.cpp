#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> ali_misprints() {
  return {
      {.place = "Table 2, Binomial-Tree-simple, two chips",
       .printed = "q_1 = 7, q_2 = 0",
       .right = "q_1 = 5, q_2 = 0 for p = 16",
       .proof = "Section 4 defines q_1 as the sum over the levels of d_k - n_k2 - 1. A binomial tree of 16 elements "
                "has the largest out-degrees 4, 3, 2, 1, and the root's first message crosses: (4-1-1) + (3-1) + (2-1) "
                "+ (1-1) = 5. The same rule gives q = 3 for p = 8 on one chip, as printed. 7 is the number of messages "
                "of a one-to-all root to its own chip. X is bounded by a q that the row does not define.",
       .where = "tests/unit/papers/misprints_test.cpp#GapsOfABinomialTreeOnTwoChips"},
      {.place = "Section 4, q_2",
       .printed = "the sum over all levels of d_k - n_k1 - 1",
       .right = "over the levels at which messages cross",
       .proof = "At a level without crossing messages n_k1 = d_k, and the term is -1: a binomial tree of 16 elements "
                "would have q_2 = (4-3-1) - 3 = -3. Table 2 has 0.",
       .where = "tests/unit/papers/misprints_test.cpp#GapsOfABinomialTreeOnTwoChips"},
      {.place = "Table 5, recursive doubling, against section 4 and table 3",
       .printed = "L(m) + 2 L(1) + gamma m a round",
       .right =
           "L(m) + L(1) + gamma m, as section 4 says of every round of a butterfly; tables 3 and 4 charge one L(1)",
       .proof = "In a round each element gets one message and one acknowledges it, in both directions at once. Table "
                "3's recursive doubling, the same pattern, has one L(1): of the same three rounds on one chip table 5 "
                "has 6 L(1), table 3 has 3.",
       .where = "tests/unit/papers/misprints_test.cpp#RecursiveDoublingHasTwoAcknowledgementsInOneTable"},
      {.place = "Section 5.5, HybridA",
       .printed = "L_2(messagesize) + L_2(1), if x > 3",
       .right = "if k > 3, as table 5 has it",
       .proof = "x is the switching round of the whole algorithm, k the round. HybridA-3-4 has x = 3 and would never "
                "use L_2, although 4 messages cross in its round k = 4. For p = 16 the distance 2^(k-1) reaches the "
                "other chip's 8 elements at k = 4.",
       .where = "tests/unit/papers/misprints_test.cpp#HybridCrossesInTheFourthRound"},
      {.place = "Section 5.2, segmented binomial, against table 2",
       .printed = "(log2 p - 1) x L(m/2) + L(1), then L(m/2) + L(1)",
       .right = "log2 p [L(m/2) + L(1)], then L(m/2) + L(1): (log2 p + 1)[L(m/2) + L(1)], as table 2 has it",
       .proof = "The root sends one half of the data to the other half of the tree (a round), each half broadcasts its "
                "part (log2 p - 1 rounds), and both exchange (a round): log2 p + 1 rounds, each with its "
                "acknowledgement. For p = 8 four, by the text three and two acknowledgements. Table 2's two chips have "
                "(log2 p - 1) + 2 rounds as well.",
       .where = "tests/unit/papers/misprints_test.cpp#SegmentedBroadcastTakesARoundMoreThanItsTreeIsHigh"},
      {.place = "Table 5, HybridA and HybridB, two chips",
       .printed = "(x-1) gamma m sum[...] and gamma 2^(log2 p - 1) m C(...)",
       .right = "a plus sign before the sum, and one before C",
       .proof = "A product of two times is no time; section 5.5 lists the phases as a sum.",
       .where = "src/predict/formulas/ali.cpp#hybrid_a_allreduce"},
      {.place = "Table 5, ReduceScatter+gather+Bcast",
       .printed = "log2 p [L(m) + L(1)] for the broadcast",
       .right = "log2 p [L(p m) + L(1)]",
       .proof = "In the first terms m is the part of one element and the vector has p m bytes (section 5.4); the "
                "broadcast sends the whole vector.",
       .where = "include/postage/predict/formulas/ali.hpp#reduce_scatter_gather_bcast_allreduce"},
      {.place = "Table 1, Gather-Broadcast, two chips",
       .printed = "max[2(ceil(log2 p) - 1) L_1(1), 2[L_2(1) + (ceil(log2 p) - 1) L_1(1)]]",
       .right = "the second alone",
       .proof = "The second is the first and 2 L_2(1): it is never the smaller.",
       .where = "tests/unit/predict/closed_forms_ali_test.cpp#CellBarrier"},
      {.place = "Table 1, recursive doubling, two chips, p no power of two",
       .printed = "(floor(log2 p) + 1) L_1(1) + L_2(1)",
       .right = "floor(log2 p) L_1(1) + 2 L_2(1)",
       .proof = "The first eight elements are on the first chip (section 5.1). For p = 9 to 15 the rounds among the "
                "first eight stay on it, and in the first and the last round elements 8, 9, ... and 0, 1, ... signal "
                "each other (section 4): both cross. Simulated for p = 13: 2427 cycles; 3 x 290 + 2 x 780 = 2430, "
                "4 x 290 + 780 = 1940.",
       .where = "tests/sim/blade/collective_test.cpp#BarriersOfOtherThanPowersOfTwoCrossTwice"},
      {.place = "Table 4, binomial, one chip, p no power of two",
       .printed = "floor(log2 p) [L(m) + L(1) + gamma m]",
       .right = "ceil(log2 p), as the row for two chips has it",
       .proof =
           "A binomial reduction is the opposite of a broadcast (section 5.4), of which each round at most doubles "
           "the elements that take part: two rounds reach four. The root of p = 6 takes in the parts of elements "
           "1, 2 and 4, one after another: 3 [L(m) + L(1) + gamma m], as printed 2.",
       .where = "tests/unit/predict/ali_tables_test.cpp#DifferWhereTheyContradictTheSchedules"},
      {.place = "Section 5.2, segmented binomial, two chips",
       .printed = "14 inter-chip data exchanges in the last phase",
       .right = "15",
       .proof =
           "After the first phase 8 elements have the left half and 8 the right one, on one chip each. The root has "
           "all the data from the start and needs no right half: 8 halves cross one way and 7 the other. In "
           "C(m/2, n) n = 15, not 14.",
       .where = "tests/unit/predict/ali_tables_test.cpp#DifferWhereTheyContradictTheSchedules"},
      {.place = "Table 2, binomial-simple, one chip",
       .printed = "floor(log2 p) rounds, and q = 3 for any p",
       .right = "floor(log2 p) and 3 for p = 8",
       .proof = "Section 4's q is the sum over the levels of the largest d_k - 1: for p = 8 it is 2 + 1 + 0 = 3, for p "
                "= 4 it is 1 + 0 = 1.",
       .where = "src/predict/formulas/ali.cpp#binomial_gaps"},
  };
}

}  // namespace postage
