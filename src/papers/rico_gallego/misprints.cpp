#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> rico_gallego_misprints() {
  return {
      {.place = "Section 4, after eq. 4",
       .printed = "Theta_RDA = 2 Theta'_Sct > 2 Theta_Sct for any m and P",
       .right = ">= ; > for P > 2 where L(S, tau) grows with tau",
       .proof = "Theta' raises the contention of every stage but the last to P. For P = 2 there is no other: k/2 L(S, "
                "2) against k L(S, 2), a ratio of exactly 2. For a flat L it is 2 for every P: 62 and 124 us for P = k "
                "= 32 and 2 us.",
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
