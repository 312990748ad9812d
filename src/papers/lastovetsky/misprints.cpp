#include "papers/builtin_papers.hpp"

namespace postage {
namespace {

Misprint estimation_misprint(std::string place, std::string printed, std::string right, std::string proof) {
  return {std::move(place), std::move(printed), std::move(right), std::move(proof),
          "src/estimate/lmo/printed.cpp#estimate_lmo_as_printed"};
}

Misprint formula_misprint(std::string place, std::string printed, std::string right, std::string proof,
                          const char* where) {
  return {std::move(place), std::move(printed), std::move(right), std::move(proof), where};
}

}  // namespace

std::vector<Misprint> lastovetsky_misprints() {
  constexpr const char* tables = "src/papers/lastovetsky/exhibits/hockney.cpp#table_two";
  constexpr const char* linear = "tests/unit/predict/fans_test.cpp#AreEquationsEightToTenForEqualRanks";
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
      formula_misprint("Section 2, Hockney", "alpha + beta M, where beta is the bandwidth", "its inverse",
                       "A bandwidth times a size is no time; Table 2 gives beta in us/B.",
                       "include/postage/model/hockney.hpp"),
      formula_misprint(
          "Section 2, LogP", "the network bandwidth can be expressed as L/g", "1/g",
          "L/g has no unit: it is the number of messages under way. The same sentence calls g the reciprocal "
          "of the bandwidth.",
          "src/model/models/logp.cpp"),
      formula_misprint("Section 3, eq. 3", "about log2 8 alpha + (8-1) beta M", "exactly",
                       "alpha + 4 beta M + alpha + 2 beta M + alpha + beta M = 3 alpha + 7 beta M.",
                       "src/predict/formulas/lastovetsky.cpp#binomial_scatter"),
      formula_misprint(
          "Table 2, alpha", "812, 888, 961, 665, 993 and 728 us, beside 107 to 126 us in the same rows",
          "perhaps 81.2, 88.8, 96.1, 66.5, 99.3 and 72.8 us",
          "The homogeneous alpha of 177 us is the mean over the 120 pairs, as that of beta is (0.0219 us/B). As "
          "printed it is 292.3 us; with a decimal point it is 189.8 us, so that more is wrong than "
          "these.",
          tables),
      formula_misprint(
          "Section 3, choice of mappings", "alpha_ri + beta_ri 2^(kM/n)", "alpha_ri + beta_ri 2^k M/n",
          "The root of a sub-tree of order k gets 2^k blocks of M/n bytes. With M in the exponent the size of a "
          "message of a few hundred bytes exceeds every memory.",
          "src/papers/lastovetsky/binomial_mapping.cpp#binomial_places"),
      formula_misprint("Section 5, eq. 8", "the root sends to nodes 1, 2, ..., n, \"to the rest n - 1 processors\"",
                       "n processors",
                       "The formula has n root's terms and sums or maxima over i = 1 .. n. With n processors in all it "
                       "would be n - 1 in all three places.",
                       linear),
      estimation_misprint(
          "Section 5, before eq. 16", "T_ij(M) > T_ji(M) since beta_ij = beta_ji", "T_ij(M) = T_ji(M)",
          "By eq. 6, T_ij(M, 0) = 2 C_i + 2 C_j + M t_i + M t_j + M/beta_ij, which is symmetric in i and j."),
      estimation_misprint(
          "Section 5, numbers of experiments",
          "the C(n,3) experiments from one rank to two (i < j < k); later 3 C(n,3)", "3 C(n,3)",
          "Equations 13 to 15 need each of a triplet's ranks as the source once. Table 3 has 3 C(n,3)."),
      estimation_misprint("Section 5, complexity of calculations", "12 C(n,3) formulae", "9 C(n,3)",
                          "A triplet gives three C by eq. 7, and three t and three 1/beta by eq. 16."),
      formula_misprint(
          "Table 3, hetero-Hockney", "0.17 s for 10 sizes from 0 to 100 kb between all pairs of 16 nodes",
          "more than 0.2 s",
          "With the homogeneous alpha = 177 us and beta = 0.0219 us/B, roundtrips of ten sizes with a mean of 50 kB "
          "take 10 (2 * 177 us + 2 * 1095 us) = 25.4 ms for a pair, 14.5 ms with empty replies. Eight disjoint "
          "pairs at once need 15 rounds: 0.38 or 0.22 s for one repetition. Section 3 has 5 s.",
          "src/papers/lastovetsky/exhibits/tables.cpp#measurement_costs"),
      formula_misprint(
          "Section 7, Table 4", "improved by up to 20 %", "33.5 %",
          "N = 3000: 16.61 to 11.05 s is 33.5 % less; the other rows give 8.9 to 20.2 %. Either the row or the "
          "sentence is wrong.",
          "src/papers/lastovetsky/exhibits/tables.cpp#matrix_multiplication"),
  };
}

}  // namespace postage
