#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> tu_misprints() {
  return {
      {.place = "Section IV.B, linear broadcast by 2log_{2,3}P",
       .printed = "(P/n-1)(o_mw/2 + l_mw/2) + (P-(P/n-1)-1)(o'_mw/2 + l'_mw/2) + o'_net",
       .right = "half of o'_mw + l'_mw more, of the last receiver; for n = 1 half of o_mw + l_mw more and no o'_net",
       .proof = "The log_3P formula of the same section counts P halves for P-1 messages: P-1 sends of the root and "
                "one receive of the last receiver. This one counts P-1. With o_mw + l_mw = o'_mw + l'_mw the two must "
                "be equal, and differ by that half. For n = 1 every message stays in the node, and o'_net remains. "
                "With the printed 41 % (a half within a node is 0.59 of one between nodes) the missing half is one of "
                "7 * 0.59 + 57 = 61.1, 1.6 % of the time without o'_net: as much as the printed mean error, 1.59 %.",
       .where = "tests/unit/papers/misprints_test.cpp#LinearBroadcastLacksTheLastReceiversHalf"},
      {.place = "Section IV.B, linear broadcast by log_3P",
       .printed = "P(o'_mw/2 + l'_mw/2) is what the source process takes for P-1 sends",
       .right = "P-1 halves are the source's; the last is the receiver's",
       .proof = "A send takes half of o'_mw + l'_mw at its source (section II.A: the costs at points 0 and 2 are "
                "equal): P-1 sends take P-1 halves there.",
       .where = "tests/unit/papers/misprints_test.cpp#LinearBroadcastLacksTheLastReceiversHalf"},
      {.place = "Section IV.B, errors of the binomial broadcast, against section IV.A",
       .printed = "log_3P's largest error 10.53 %, 2log_{2,3}P's 4.36 %; middleware within a node 41 % less on average",
       .right = "for n = 3 log_3P must exceed 2log_{2,3}P by at least 25.8 % on average",
       .proof =
           "Of the 6 transfers n = 3 stay in a node, for blocks of 8 ranks a node and ranks dealt in turn alike (2 for "
           "roots that do not begin a node's lower half). With r = (o + l)/(o' + l' + o'_net) the two predictions are "
           "as 6 to 3 r + 3. If log_3P is at most 10.53 % too high and 2log_{2,3}P at most 4.36 % too low, they differ "
           "by at "
           "most 1.1053/0.9564 = 1.156, so that r >= 0.73 at every point; but r is at most (o + l)/(o' + l'), 0.59 on "
           "average. For n = 2, r >= 0.596 contradicts as well.",
       .where = "tests/unit/predict/tu_test.cpp#PrintedErrorsContradictThePrintedMiddleware"},
      {.place = "Equation 5",
       .printed = "2f(s, l)_0 + 2f(s, d)_0, 2f'(s, l)_0 + 2f'(s, d)_0 + f'(s, l)_1, with the letter l",
       .right = "f(s, 1)",
       .proof =
           "Equation 1 and the definition of o have f(s, 1), the unit stride of one element; l is the latency, not a "
           "stride. With f(s, l) for o the equation would not give equation 4.",
       .where = "tests/unit/predict/tu_test.cpp#TuEquations4And5"},
      {.place = "Symbols",
       .printed = "n",
       .right = "three symbols",
       .proof =
           "n is the number of implicit transfers in sections II and III, of nodes in the linear broadcast, and of "
           "transfers within a node in the binomial one; equation 4 says n = 2 or 3 where IV.B has n = 8 and n = 3.",
       .where = "include/postage/predict/formulas/tu.hpp#nodes"},
  };
}

}  // namespace postage
