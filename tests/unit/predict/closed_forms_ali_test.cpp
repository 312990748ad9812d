// The tables of Ali et al. (PPoPP 2010), term by term: with one parameter at 1 and all others at 0 a formula is that
// parameter's coefficient, which the table prints.
#include <postage/base/error.hpp>
#include <postage/predict/formulas/ali.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace postage::closed_form::cell {
namespace {

constexpr Bytes kMessage = 1024;
constexpr auto kOne = Chips::kOne;
constexpr auto kTwo = Chips::kTwo;

/// 1 for a message of 16 bytes, the smallest ("1"), 0 for longer ones; and the other way round.
const CostCurve kAcknowledgement({{16, 1}, {17, 0}});
const CostCurve kData({{16, 0}, {17, 1}, {18, 1}});

using Formula = std::function<Seconds(const Blade&)>;

/// What the formula counts of each parameter.
struct Counts {
  double data = 0;         ///< L_1(m), whatever m
  double ack = 0;          ///< L_1(1)
  double data_across = 0;  ///< L_2(m)
  double ack_across = 0;   ///< L_2(1)
  double combined = 0;     ///< gamma, bytes
  double congestion = 0;   ///< C
  bool operator==(const Counts&) const = default;
};

void PrintTo(const Counts& c, std::ostream* out) {
  *out << c.data << " L1(m) + " << c.ack << " L1(1) + " << c.data_across << " L2(m) + " << c.ack_across << " L2(1) + "
       << c.combined << " gamma + " << c.congestion << " C";
}

Counts counts_of(const Formula& formula) {
  return {.data = formula({.chip = {.latency = kData}}),
          .ack = formula({.chip = {.latency = kAcknowledgement}}),
          .data_across = formula({.across = {.latency = kData}}),
          .ack_across = formula({.across = {.latency = kAcknowledgement}}),
          .combined = formula({.combine_per_byte = 1}),
          .congestion = formula({.across = {.contention = CostSurface({{1, CostCurve::constant(1)}})}})};
}

/// The same with L(m) = m: the sum of the sizes on the chip and across.
Interval bytes_of(const Formula& formula) {
  const CostCurve proportional({{16, 0}, {17, 17}, {34, 34}});
  return {formula({.chip = {.latency = proportional}}), formula({.across = {.latency = proportional}})};
}

TEST(CellBarrier, CountsTheTablesRounds) {
  const auto recursive = [](Chips chips, std::int64_t p) {
    return counts_of([=](const Blade& b) { return recursive_doubling_barrier(b, chips, p); });
  };
  EXPECT_EQ(recursive(kOne, 8), (Counts{.ack = 3}));
  EXPECT_EQ(recursive(kOne, 7), (Counts{.ack = 4}));
  EXPECT_EQ(recursive(kTwo, 16), (Counts{.ack = 3, .ack_across = 1}));  // section 6.1 prints 3 L_1(1) + L_2(1)
  EXPECT_EQ(recursive(kTwo, 12), (Counts{.ack = 4, .ack_across = 1}));
  const auto tree = [](Chips chips, std::int64_t p) {
    return counts_of([=](const Blade& b) { return gather_broadcast_barrier(b, chips, p); });
  };
  EXPECT_EQ(tree(kOne, 6), (Counts{.ack = 6}));
  EXPECT_EQ(tree(kTwo, 16), (Counts{.ack = 6, .ack_across = 2}));
}

TEST(CellBarrier, BruckWaitsForTheSlowerLinkInEveryRound) {
  const Blade blade{.chip = {.latency = CostCurve::constant(2)}, .across = {.latency = CostCurve::constant(5)}};
  EXPECT_EQ(bruck_barrier(blade, kOne, 9), 8);
  EXPECT_EQ(bruck_barrier(blade, kTwo, 9), 20);
}

TEST(CellBarrier, OneToAllKeepsItsInterval) {
  const Blade blade{.chip = {.latency = CostCurve::constant(100), .gap = CostCurve::constant(10), .gap_of_ack = 1},
                    .across = {.latency = CostCurve::constant(1000), .gap = CostCurve::constant(50), .gap_of_ack = 3}};
  EXPECT_EQ(one_to_all_barrier(blade, kOne, 8), (Interval{6 * 10 + 200, 6 * 10 + 200 + 6}));
  EXPECT_EQ(one_to_all_barrier(blade, kTwo, 16), (Interval{2200 + 60 + 7 * 50, 2200 + 60 + 7 * 50 + 6 + 7 * 3}));
  EXPECT_THROW(static_cast<void>(one_to_all_barrier(blade, kTwo, 8)), UsageError);
}

TEST(CellBcast, OneToAllSendsLongMessagesAndGetsAcknowledgements) {
  const Blade blade{
      .chip = {.latency = CostCurve({{16, 1}, {kMessage, 100}}), .gap = CostCurve({{16, 0}, {kMessage, 10}})},
      .across = {.latency = CostCurve({{16, 3}, {kMessage, 300}}), .gap = CostCurve({{16, 0}, {kMessage, 30}})}};
  EXPECT_EQ(one_to_all_bcast(blade, kOne, 8, kMessage).lower, 6 * 10 + 100 + 1);
  EXPECT_EQ(one_to_all_bcast(blade, kTwo, 16, kMessage).lower, 100 + 6 * 10 + 300 + 7 * 30 + 1 + 3);
}

TEST(CellBcast, CountsTheTablesRounds) {
  const auto optimised = [](Chips chips, std::int64_t p) {
    return counts_of([=](const Blade& b) { return optimised_binomial_bcast(b, chips, p, kMessage); });
  };
  EXPECT_EQ(optimised(kOne, 4), (Counts{.data = 2, .ack = 2}));  // figure 4(b): 2 (L(m) + L(1))
  EXPECT_EQ(optimised(kTwo, 16), (Counts{.data = 3, .ack = 3, .data_across = 1, .ack_across = 1}));
  EXPECT_EQ(optimised(kTwo, 11), optimised(kTwo, 16));
  EXPECT_EQ(counts_of([](const Blade& b) { return segmented_binomial_bcast(b, kOne, 8, kMessage); }),
            (Counts{.data = 4, .ack = 4}));
  EXPECT_EQ(counts_of([](const Blade& b) { return segmented_binomial_bcast(b, kTwo, 16, kMessage); }),
            (Counts{.data = 3, .ack = 3, .data_across = 2, .ack_across = 2, .congestion = 1}));
  EXPECT_EQ(bytes_of([](const Blade& b) { return segmented_binomial_bcast(b, kTwo, 16, kMessage); }),
            (Interval{3 * 512, 2 * 512}));
  EXPECT_EQ(counts_of([](const Blade& b) { return hybrid_segmented_bcast(b, 16, kMessage); }),
            (Counts{.data = 4, .ack = 4, .data_across = 1, .ack_across = 1}));
  EXPECT_EQ(bytes_of([](const Blade& b) { return hybrid_segmented_bcast(b, 16, kMessage); }),
            (Interval{4 * 512, 1024}));
}

TEST(CellBcast, SimpleBinomialPaysGaps) {
  EXPECT_EQ(binomial_gaps(kOne, 8), 3);  // printed in table 2
  EXPECT_EQ(binomial_gaps(kOne, 4), 1);  // section 4: 2 L(m) + g(m)
  EXPECT_EQ(binomial_gaps(kTwo, 16), 5);
  const Blade blade{.chip = {.latency = CostCurve::constant(100), .gap = CostCurve::constant(10), .gap_of_ack = 1},
                    .across = {.latency = CostCurve::constant(1000), .gap = CostCurve::constant(50), .gap_of_ack = 3}};
  EXPECT_EQ(simple_binomial_bcast(blade, kOne, 8, kMessage, 3), (Interval{600 + 30, 600 + 33}));
  EXPECT_EQ(simple_binomial_bcast(blade, kTwo, 16, kMessage, kPrintedBinomialGapsOfTwoChips),
            (Interval{600 + 2000 + 70, 600 + 2000 + 77}));
}

TEST(CellAllgather, CountsTheTablesRoundsAndBytes) {
  const Formula two = [](const Blade& b) { return recursive_doubling_allgather(b, kTwo, 16, 64); };
  EXPECT_EQ(counts_of(two), (Counts{.data = 3, .ack = 3, .data_across = 1, .ack_across = 1, .congestion = 1}));
  EXPECT_EQ(bytes_of(two), (Interval{7 * 64, 8 * 64}));
  const Formula hybrid = [](const Blade& b) { return hybrid_allgather(b, 16, 64, 4); };
  // Hybrid-4-2 (figure 6): two messages cross, which do not congest; log2 p + (x - 1) = 7 rounds in all.
  EXPECT_EQ(counts_of(hybrid), (Counts{.data = 6, .ack = 6, .data_across = 1, .ack_across = 1}));
  EXPECT_EQ(bytes_of(hybrid), (Interval{(7 + 3 * 16) * 64, 8 * 64}));
  EXPECT_EQ(counts_of([](const Blade& b) { return hybrid_allgather(b, 16, 64, 3); }).congestion, 1);
  EXPECT_EQ(counts_of([](const Blade& b) { return hybrid_allgather(b, 16, 64, 5); }),
            (Counts{.data = 8, .ack = 8}));  // four rounds up, four down, nothing between
  EXPECT_THROW(static_cast<void>(hybrid_allgather({}, 16, 64, 6)), UsageError);
  EXPECT_THROW(static_cast<void>(hybrid_allgather({}, 12, 64, 2)), UsageError);
}

TEST(CellReduce, CountsTheTablesRoundsAndBytes) {
  EXPECT_EQ(counts_of([](const Blade& b) { return binomial_reduce(b, kOne, 8, 64); }),
            (Counts{.data = 3, .ack = 3, .combined = 3 * 64}));
  EXPECT_EQ(counts_of([](const Blade& b) { return binomial_reduce(b, kTwo, 16, 64); }),
            (Counts{.data = 3, .ack = 3, .data_across = 1, .ack_across = 1, .combined = 4 * 64}));
  const Formula two = [](const Blade& b) { return reduce_scatter_gather_reduce(b, kTwo, 16, 64); };
  EXPECT_EQ(counts_of(two),
            (Counts{.data = 6, .ack = 6, .data_across = 2, .ack_across = 2, .combined = 15 * 64, .congestion = 1}));
  EXPECT_EQ(bytes_of(two), (Interval{2 * 7 * 64, 2 * 8 * 64}));
}

TEST(CellAllreduce, CountsTheTablesRoundsAndBytes) {
  EXPECT_EQ(counts_of([](const Blade& b) { return recursive_doubling_allreduce(b, kTwo, 16, 512); }),
            (Counts{.data = 3, .ack = 6, .data_across = 1, .ack_across = 2, .combined = 4 * 512, .congestion = 1}));
  EXPECT_EQ(counts_of([](const Blade& b) { return reduce_scatter_allgather_allreduce(b, kTwo, 16, 64); }).congestion,
            2);
  const Formula whole = [](const Blade& b) { return reduce_scatter_gather_bcast_allreduce(b, kTwo, 16, 64); };
  EXPECT_EQ(counts_of(whole), (Counts{9, 9, 3, 3, 15 * 64, 1}));
  EXPECT_EQ(bytes_of(whole), (Interval{(14 + 3 * 16) * 64, (16 + 16) * 64}));
  const Formula printed = [](const Blade& b) { return reduce_scatter_gather_bcast_as_printed(b, kTwo, 16, 64); };
  EXPECT_EQ(bytes_of(printed), (Interval{(14 + 3) * 64, (16 + 1) * 64}));
  // HybridA-3-4 (section 5.5): six rounds, four messages across.
  EXPECT_EQ(counts_of([](const Blade& b) { return hybrid_a_allreduce(b, 16, 512, 3); }),
            (Counts{.data = 5, .ack = 5, .data_across = 1, .ack_across = 1, .combined = 4 * 512, .congestion = 1}));
  EXPECT_EQ(counts_of([](const Blade& b) { return hybrid_b_allreduce(b, 16, 64, 4); }),
            (Counts{9, 9, 2, 2, 15 * 64, 1}));
}

TEST(CellCongestion, BeginsAboveTwoMessagesOf256Bytes) {
  const Blade blade{
      .across = {.contention = CostSurface({{2, CostCurve::constant(0)}, {16, CostCurve::constant(14)}})}};
  EXPECT_EQ(congestion(blade, 256, 16), 0);
  EXPECT_EQ(congestion(blade, 257, 2), 0);
  EXPECT_EQ(congestion(blade, 257, 3), 1);
  EXPECT_EQ(congestion(blade, 257, 16), 14);
  EXPECT_EQ(recursive_doubling_allgather(blade, kTwo, 16, 32), 0);
  EXPECT_EQ(recursive_doubling_allgather(blade, kTwo, 16, 33), 14);
  EXPECT_EQ(segmented_binomial_bcast(blade, kTwo, 16, 1024), 12);  // p - 2 of 16 cross
}

TEST(CellCluster, OverlapsWhatTheTextOverlaps) {
  const Blade blade{.chip = {.latency = CostCurve::constant(1)}, .across = {.latency = CostCurve::constant(2)}};
  const CellPLogPLink host{.latency = CostCurve::constant(3), .gap = CostCurve::constant(0.5)};
  const CellPLogPLink network{.latency = CostCurve::constant(40), .gap = CostCurve::constant(5)};
  EXPECT_EQ(cluster_barrier(blade, host, network, 4), (Interval{90 + 3 + 5, 5 + 90 + 3 + 5}));
  EXPECT_EQ(cluster_barrier(blade, host, network, 1), (Interval{5 + 3 + 5, 5 + 3 + 5}));
  const CellPLogPLink bus{.latency = CostCurve::constant(7), .gap = CostCurve::constant(1)};
  EXPECT_EQ(roadrunner_barrier(blade, host, bus, network, 4), (3 + 15 * 0.5) + 7 + 2 * 40 + 7 + 1 + 3 + 5);
}

}  // namespace
}  // namespace postage::closed_form::cell
