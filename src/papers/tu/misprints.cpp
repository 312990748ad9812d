#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> tu_misprints() {
  return {
      {.place = "Section IV.B, linear broadcast by 2log_{2,3}P",
       .printed = "(P/n-1)(o_mw/2 + l_mw/2) + (P-(P/n-1)-1)(o'_mw/2 + l'_mw/2) + o'_net",
       .right = "half of o'_mw + l'_mw more, of the last receiver; for n = 1 no o'_net",
       .proof =
           "The log_3P formula of the same section counts P halves for P-1 messages: P-1 of the root's and one of the "
           "last receiver's. This one counts P-1. For n = 1 every message stays in the node, and o'_net remains.",
       .where = "tests/unit/predict/closed_forms_test.cpp#linear_bcast_as_printed"},
  };
}

}  // namespace postage
