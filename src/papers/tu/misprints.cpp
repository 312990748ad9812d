#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> tu_misprints() {
  return {
      {.place = "Section IV.B, linear broadcast by 2log_{2,3}P",
       .printed = "(P/n-1)(o_mw/2 + l_mw/2) + (P-(P/n-1)-1)(o'_mw/2 + l'_mw/2) + o'_net",
       .right = "half of o'_mw + l'_mw more, of the last receiver; for n = 1 half of o_mw + l_mw more and no o'_net",
       .proof = "The log_3P formula of the same section counts P halves for P-1 messages: P-1 sends of the root and "
                "one receive of the last receiver. This one counts P-1. With o_mw + l_mw = o'_mw + l'_mw the two must "
                "be equal, and differ by that half. For n = 1 every message stays in the node, and o'_net remains.",
       .where = "tests/unit/papers/misprints_test.cpp#LinearBroadcastLacksTheLastReceiversHalf"},
      {.place = "Section IV.B, linear broadcast by log_3P",
       .printed = "P(o'_mw/2 + l'_mw/2) is what the source process takes for P-1 sends",
       .right = "P-1 halves are the source's; the last is the receiver's",
       .proof = "A send takes half of o'_mw + l'_mw at its source (section II.A: the costs at points 0 and 2 are "
                "equal): P-1 sends take P-1 halves there.",
       .where = "tests/unit/papers/misprints_test.cpp#LinearBroadcastLacksTheLastReceiversHalf"},
  };
}

}  // namespace postage
