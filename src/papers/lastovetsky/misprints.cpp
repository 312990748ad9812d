#include "papers/builtin_papers.hpp"

namespace postage {

std::vector<Misprint> lastovetsky_misprints() {
  return {
      {.place = "Eq. 11 and 12",
       .printed = "the source's part is 4C_i + 2M t_i",
       .right = "3C_i + 2M t_i",
       .proof = "The source sends twice and receives two replies, which is 4C_i only if it does nothing at the same "
                "time. The first reply arrives C_i + M t_i before the second, since its message was sent as much "
                "earlier, and is received in C_i while the source would wait: what counts is the second reply alone. "
                "For C = 50 us, t = 5 ns, beta = 100 MB/s and M = 32 KB step by step 1069.2 us, by eq. 11 1119.2 us.",
       .where = "tests/unit/papers/misprints_test.cpp#RootReceivesTheFirstReplyWhileItWaits"},
      {.place = "Eq. 10 against eq. 8 and 9",
       .printed = "(n-1)(C_0 + t_0 M) beside a sum over i = 1 ... n",
       .right = "n(C_0 + t_0 M)",
       .proof = "Nodes 1 ... n send to node 0, which handles n messages, as eq. 8 and 9 have it; the text after eq. 8 "
                "calls them the rest n-1 processors. For n = 7, M = 150 KB and the parameters above, kappa_2 = 20 ns: "
                "25.276 ms, as printed 24.458 ms.",
       .where = "tests/unit/papers/misprints_test.cpp#GatherOfLargeBlocksHandlesNMessages"},
      {.place = "Section 5, kappa_1 and kappa_2 by linear regression",
       .printed = "kappa_2 = c_1 - sum(t_i + 1/beta_0i), kappa_1 = c_1 - max(t_i + 1/beta_0i)",
       .right = "n t_0 less each; the sum goes to n",
       .proof =
           "The slopes of eq. 9 and 10 are n t_0 + max(t_i + 1/beta_0i) + kappa_1 and n t_0 + sum(t_i + 1/beta_0i) + "
           "kappa_2. With the printed kappas the root's n t_0 is in them twice, and the prediction does not run "
           "through the line that kappa was fitted to: for n = 7 and t_0 = 5 ns it is 35 ns too long for each byte.",
       .where = "tests/unit/papers/misprints_test.cpp#PrintedKappaHoldsTheRootsShareTwice"},
  };
}

}  // namespace postage
