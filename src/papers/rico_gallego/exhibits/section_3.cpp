#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/jobs.hpp"

namespace postage::rico_gallego_paper {
namespace {

ExhibitResult messages(PaperContext&) {
  const PlatformModel loggp = on_one_channel("loggp", kLogGP);
  const PlatformModel tau_lop = on_one_channel("taulop", "o=1us,n=2,L=64K/1:16us");
  return {.rows = {number_row("LogGP, m = 64K: 1 + 5 + 65.535 + 1 us", 72.535e-6,
                              formula("p2p", "rico-gallego-loggp", {.platform = loggp, .bytes = 65536}),
                              AxisUnit::kSeconds),
                   number_row("tau-Lop, m = 64K: 1 + 2 * 16 us", 33e-6,
                              formula("p2p", "rico-gallego-p2p", {.platform = tau_lop, .bytes = 65536}),
                              AxisUnit::kSeconds)},
          .why = "For L = 5 us, o = 1 us, G = 1 ns of LogGP; o = 1 us and L(64K, 1) = 16 us of tau-Lop."};
}

ExhibitResult binomial(PaperContext&) {
  const PlatformModel loggp = on_one_channel("loggp", kLogGP);
  const PlatformModel tau_lop = on_one_channel("taulop", "o=1us,n=2,L=8K/1:2us;8K/2:3us;8K/4:5us;8K/8:9us");
  const FormulaJob by_loggp{.platform = loggp, .ranks = 9, .bytes = 65536};
  const FormulaJob by_tau_lop{.platform = tau_lop, .ranks = 16, .bytes = 8192};
  return {.rows = {number_row("LogGP, P = 9, m = 64K: 4 (5 + 2 + 65.535) us", 290.14e-6,
                              formula("bcast", "rico-gallego-loggp-binomial", by_loggp), AxisUnit::kSeconds),
                   number_row("tau-Lop, P = 16, m = 8K: 4 + 2 (2 + 3 + 5 + 9) us", 42e-6,
                              formula("bcast", "rico-gallego-binomial", by_tau_lop), AxisUnit::kSeconds),
                   number_row("tau-Lop, the evaluator's sum of rounds", 42e-6,
                              evaluator("bcast", "rico-gallego-binomial", by_tau_lop), AxisUnit::kSeconds),
                   number_row("LogGP, the evaluator's timeline for P = 16, where all stages are full", 290.14e-6,
                              evaluator("bcast", "rico-gallego-loggp-binomial",
                                        {.platform = loggp, .ranks = 16, .bytes = 65536}),
                              AxisUnit::kSeconds)},
          .why = "For L(8K, tau) = 2, 3, 5 and 9 us at tau = 1, 2, 4 and 8, and o = 1 us."};
}

/// "ranges from T for a perfectly parallel channel, to 8 x T for a serial one", for the message from rank 14 to 15.
ExhibitResult contention(PaperContext&) {
  const auto last_stage = [](const char* parameters) {
    const PlatformModel platform = on_one_channel("taulop", parameters);
    const auto bcast = [&](Rank ranks) {
      return formula("bcast", "rico-gallego-binomial", {.platform = platform, .ranks = ranks, .bytes = 8192});
    };
    return (bcast(16) - bcast(8)) / bcast(2);
  };
  return {.rows = {number_row("a perfectly parallel channel", 1, last_stage("o=0,n=2,L=2us"), AxisUnit::kNumber),
                   number_row("a serial one", 8, last_stage("o=0,n=2,L=8K/1:2us;8K/8:16us"), AxisUnit::kNumber)},
          .why = "The last of four stages over the first: L(m, 8) = L(m, 1), and L(m, 8) = 8 L(m, 1)."};
}

}  // namespace

Exhibits section_3() {
  return {{.kind = ExhibitKind::kEquation,
           .number = "3-messages",
           .caption = "a message by LogGP (section 2) and by tau-Lop (section 3)",
           .where = {"src/predict/formulas/closed_forms.cpp#message", "include/postage/model/tau_lop.hpp#TauLop"},
           .command = formula_command("p2p", "rico-gallego-loggp", "-m 64K", "loggp", kLogGP),
           .compute = messages},
          {.kind = ExhibitKind::kEquation,
           .number = "3-binomial",
           .caption = "binomial broadcast by LogGP and by tau-Lop",
           .where = {"src/predict/formulas/rico_gallego.cpp#binomial_bcast", "src/model/tau_expression.cpp#concurrent"},
           .command = formula_command("bcast", "rico-gallego-loggp-binomial", "-P 9 -m 64K", "loggp", kLogGP),
           .compute = binomial},
          {.kind = ExhibitKind::kClaim,
           .number = "3-contention",
           .caption = "the cost between processes 14 and 15 ranges from T to 8 T",
           .where = {"src/predict/formulas/rico_gallego.cpp#binomial_bcast"},
           .compute = contention}};
}

}  // namespace postage::rico_gallego_paper
