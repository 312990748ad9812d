// Schedules summed up round by round, with contention, against the formulas of collectives that count on it.
#include "random_models.hpp"

#include <postage/predict/formulas/ali.hpp>
#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/formulas/rico_gallego.hpp>
#include <postage/predict/rounds/rounds.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postage {
namespace {

Seconds summed(Collective collective, std::string_view name, const ScheduleRequest& request, const ChannelMap& channels,
               const Model& model) {
  return sum_rounds(build_schedule(find_algorithm(collective, name), request), channels, model).seconds;
}

/// L(m, tau) = m c(tau): then cutting a message into segments changes nothing but what overlaps.
CostSurface any_proportional_surface(double scale) {
  const double per_byte = any_time(scale);
  return any_contended_surface(CostCurve({{0, 0}, {1, per_byte}}));
}

TauLopLink any_memory_without_overhead() {
  return {.transfer = any_proportional_surface(1e-12), .transfers = 2};
}

RC_GTEST_PROP(RicoGallegoRounds, BinomialBroadcastIsSectionThree, ()) {
  const TauLopLink memory = any_memory();
  const Rank ranks = 1 << *rc::gen::inRange(0, 9);
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 100000);
  check_equal(summed(Collective::kBcast, "binomial-doubling", {.ranks = ranks, .bytes = bytes},
                     ChannelMap::single_channel(), with_link<TauLop>(memory)),
              closed_form::binomial_bcast(memory, ranks, bytes));
}

RC_GTEST_PROP(RicoGallegoRounds, RecursiveDoublingAllgatherIsEquationThree, ()) {
  const TauLopLink memory = any_memory_without_overhead();
  const Rank ranks = 1 << *rc::gen::inRange(0, 9);
  const Bytes block = *rc::gen::inRange<Bytes>(1, 10000);
  // m = P blocks are one segment.
  check_equal(summed(Collective::kAllgather, "recursive-doubling", {.ranks = ranks, .bytes = block},
                     ChannelMap::single_channel(), with_link<TauLop>(memory)),
              closed_form::recursive_doubling_allgather(memory, ranks, ranks * block, 1));
}

// Every process sends and receives k segments in a stage, and none of these transfers overlap.
RC_GTEST_PROP(RicoGallegoRounds, RecursiveDoublingInSegmentsIsEquationThree, ()) {
  TauLopLink memory = any_memory_without_overhead();
  memory.segment = *rc::gen::inRange<Bytes>(1, 1000);
  const Rank ranks = 1 << *rc::gen::inRange(0, 7);
  const Index pieces = *rc::gen::inRange<Index>(1, 20);
  check_equal(summed(Collective::kAllgather, "recursive-doubling", {.ranks = ranks, .bytes = pieces * memory.segment},
                     ChannelMap::single_channel(), with_link<TauLop>(memory)),
              closed_form::recursive_doubling_allgather(memory, ranks, memory.segment, ranks * pieces));
}

// A segmented message costs 2 L(S, 1) + (k-1) L(S, 2); the paper takes k L(S, 2) for it.
RC_GTEST_PROP(RicoGallegoRounds, BinomialScatterIsEquationOneAndTheFirstTransferOfEachRound, ()) {
  TauLopLink memory = any_memory_without_overhead();
  memory.segment = *rc::gen::inRange<Bytes>(1, 1000);
  const Rank ranks = 1 << *rc::gen::inRange(0, 7);
  const Index pieces = *rc::gen::inRange<Index>(1, 20);
  Seconds expected = closed_form::binomial_scatter(memory, ranks, memory.segment, ranks * pieces);
  for (Rank senders = 1; senders < ranks; senders *= 2) {
    const auto size = static_cast<double>(memory.segment);
    expected += 2 * memory.transfer.at(size, senders) - memory.transfer.at(size, 2 * senders);
  }
  check_equal(summed(Collective::kScatter, "binomial", {.ranks = ranks, .bytes = pieces * memory.segment},
                     ChannelMap::single_channel(), with_link<TauLop>(memory)),
              expected);
}

RC_GTEST_PROP(RicoGallegoRounds, RingsAreEquationsSevenAndEight, ()) {
  const std::int32_t per_node = *rc::gen::inRange(2, 9);
  const std::int32_t nodes = *rc::gen::inRange(2, 6);
  const Rank ranks = nodes * per_node;
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 10000);
  const TauLopLink memory = any_memory_without_overhead();
  TauLopLink network = {.transfer = any_proportional_surface(1e-10), .end_channel = 0, .end_transfers = 1};
  // As on the paper's cluster: L1(m, 1) above L0(m, Q-1).
  RC_PRE(memory.transfer.at(1, per_node) <= network.transfer.at(1, 1));
  TauLop model;
  model.links.set_channel(0, {{0, memory}});
  model.links.set_channel(1, {{0, network}});
  const ScheduleRequest request{.ranks = ranks, .bytes = bytes};
  check_equal(summed(Collective::kAllgather, "ring", request, cluster(nodes, per_node), model),
              closed_form::sequential_ring_allgather(memory, network, ranks, per_node, bytes));
  check_equal(summed(Collective::kAllgather, "ring", request, round_robin_cluster(nodes, per_node), model),
              closed_form::round_robin_ring_allgather(memory, network, ranks, per_node, bytes));
}

// LogGPH adds the message that a rank receives to the one that it sends; here both are under way at once.
RC_GTEST_PROP(RicoGallegoRounds, RingsAreBelowLogGPHAndBlindToQ, ()) {
  const LogGPLink node = any_loggp();
  LogGPLink network = any_loggp();
  network.latency += node.latency + node.gap;
  network.gap_per_byte += node.gap_per_byte;
  LogGPH model;
  model.links.set_channel(0, {{0, node}});
  model.links.set_channel(1, {{0, network}});
  const ScheduleRequest request{.ranks = 48, .bytes = *rc::gen::inRange<Bytes>(1, 100000)};
  const auto ring = [&](std::int32_t per_node) {
    return summed(Collective::kAllgather, "ring", request, cluster(48 / per_node, per_node), model);
  };
  check_equal(ring(4), ring(8));
  check_at_most(ring(8), closed_form::sequential_ring_allgather(node, network, 48, request.bytes));
  check_at_most(summed(Collective::kAllgather, "ring", request, round_robin_cluster(6, 8), model),
                closed_form::round_robin_ring_allgather(network, 48, request.bytes));
}

using closed_form::cell::Blade;
using closed_form::cell::Chips;
namespace form = closed_form::cell;

/// One chip of 8 elements or two, any latencies, gaps and gamma. Congestion is that of more than 256 bytes and more
/// than two messages; messages across take longer than on a chip.
struct CellCase {
  Blade blade;
  Chips chips = Chips::kOne;
  Rank ranks = 8;
  ChannelMap channels = ChannelMap::single_channel();
};

Model model_of(Blade blade, bool with_gap_of_acks) {
  CellPLogP model;
  blade.chip.gap_of_ack *= with_gap_of_acks ? 1 : 0;
  blade.across.gap_of_ack *= with_gap_of_acks ? 1 : 0;
  model.links.set_channel(0, {{0, blade.chip}});
  model.links.set_channel(1, {{0, blade.across}});
  model.combine_per_byte = blade.combine_per_byte;
  return model;
}

CellCase any_cell_case() {
  CellCase any;
  any.blade.chip = {.latency = any_curve(), .gap = any_curve(), .gap_of_ack = any_time()};
  any.blade.across = {.latency = sum_of(any.blade.chip.latency, any_curve()),
                      .gap = any_curve(),
                      .contention = CostSurface({{2, CostCurve()}, {16, any_curve()}}),
                      .gap_of_ack = any_time()};
  any.blade.combine_per_byte = any_time(1e-13);
  any.chips = *rc::gen::element(Chips::kOne, Chips::kTwo);
  any.ranks = any.chips == Chips::kOne ? 8 : 16;
  any.channels = cluster(any.ranks / 8, 8);
  return any;
}

/// Without and with the gaps of acknowledgements: the ends of X.
Interval summed(const CellCase& any, Collective collective, std::string_view name, Bytes bytes,
                ParameterValues parameters = {}) {
  const ScheduleRequest request{.ranks = any.ranks, .bytes = bytes, .parameters = std::move(parameters)};
  const auto at = [&](bool with_gap_of_acks) {
    return summed(collective, name, request, any.channels, model_of(any.blade, with_gap_of_acks));
  };
  return {at(false), at(true)};
}

void check_is(const Interval& found, const Interval& formula) {
  check_equal(found.lower, formula.lower);
  check_equal(found.upper, formula.upper);
}

void check_is(const Interval& found, Seconds formula) {
  check_is(found, {formula, formula});
}

RC_GTEST_PROP(AliRounds, BroadcastsAreTableTwo, ()) {
  CellCase any = any_cell_case();
  const Bytes bytes = 2 * *rc::gen::inRange<Bytes>(2, 20000);
  const bool two = any.chips == Chips::kTwo;
  check_is(summed(any, Collective::kBcast, "binomial-opt", bytes),
           form::optimised_binomial_bcast(any.blade, any.chips, any.ranks, bytes));
  const std::int64_t gaps = form::binomial_gaps(any.chips, any.ranks);
  for (const char* name : {"binomial-simple", "binomial"}) {
    check_is(summed(any, Collective::kBcast, name, bytes),
             form::simple_binomial_bcast(any.blade, any.chips, any.ranks, bytes, gaps));
  }
  // The schedule has 15 messages cross, 8 one way and 7 the other; the paper counts 14.
  const Seconds more =
      two ? form::congestion(any.blade, bytes / 2, 15) - form::congestion(any.blade, bytes / 2, 14) : 0;
  check_is(summed(any, Collective::kBcast, "segmented-binomial", bytes),
           form::segmented_binomial_bcast(any.blade, any.chips, any.ranks, bytes) + more);
  if (two) {
    check_is(summed(any, Collective::kBcast, "hybrid-segmented", bytes),
             form::hybrid_segmented_bcast(any.blade, any.ranks, bytes));
  }
  any.ranks = two ? *rc::gen::inRange(9, 17) : *rc::gen::inRange(2, 9);
  check_is(summed(any, Collective::kBcast, "linear", bytes),
           form::one_to_all_bcast(any.blade, any.chips, any.ranks, bytes));
}

RC_GTEST_PROP(AliRounds, AllgathersAreTableThree, ()) {
  const CellCase any = any_cell_case();
  const Bytes bytes = *rc::gen::inRange<Bytes>(2, 20000);
  check_is(summed(any, Collective::kAllgather, "recursive-doubling", bytes),
           form::recursive_doubling_allgather(any.blade, any.chips, any.ranks, bytes));
  if (any.chips == Chips::kTwo) {
    const Index round = *rc::gen::inRange<Index>(1, 5);
    check_is(summed(any, Collective::kAllgather, "hybrid", bytes, {{"x", round}}),
             form::hybrid_allgather(any.blade, any.ranks, bytes, round));
  }
}

RC_GTEST_PROP(AliRounds, ReductionsAreTableFour, ()) {
  const CellCase any = any_cell_case();
  const Bytes part = *rc::gen::inRange<Bytes>(2, 2000);
  check_is(summed(any, Collective::kReduce, "binomial", part),
           form::binomial_reduce(any.blade, any.chips, any.ranks, part));
  const Seconds formula = form::reduce_scatter_gather_reduce(any.blade, any.chips, any.ranks, part);
  check_is(summed(any, Collective::kReduce, "reduce-scatter-gather", part * any.ranks), formula);
  // Rabenseifner's own order has the shortest messages cross.
  if (any.chips == Chips::kOne) {
    check_is(summed(any, Collective::kReduce, "rabenseifner", part * any.ranks), formula);
  }
}

RC_GTEST_PROP(AliRounds, AllreductionsAreTableFive, ()) {
  const CellCase any = any_cell_case();
  const Bytes part = *rc::gen::inRange<Bytes>(2, 2000);
  check_is(summed(any, Collective::kAllreduce, "recursive-doubling", part),
           form::recursive_doubling_allreduce(any.blade, any.chips, any.ranks, part));
  check_is(summed(any, Collective::kAllreduce, "reduce-scatter-gather-bcast", part * any.ranks),
           form::reduce_scatter_gather_bcast_allreduce(any.blade, any.chips, any.ranks, part));
  check_is(summed(any, Collective::kAllreduce, "reduce-scatter-rd-allgather", part * any.ranks),
           form::reduce_scatter_allgather_allreduce(any.blade, any.chips, any.ranks, part));
  if (any.chips == Chips::kTwo) {
    const Index round = *rc::gen::inRange<Index>(1, 5);
    check_is(summed(any, Collective::kAllreduce, "hybridA", part, {{"x", round}}),
             form::hybrid_a_allreduce(any.blade, any.ranks, part, round));
    check_is(summed(any, Collective::kAllreduce, "hybridB", part * any.ranks, {{"x", round}}),
             form::hybrid_b_allreduce(any.blade, any.ranks, part, round));
  }
}

RC_GTEST_PROP(AliRounds, BarriersAreTableOne, ()) {
  CellCase any = any_cell_case();
  any.ranks = any.chips == Chips::kOne ? *rc::gen::inRange(2, 9) : *rc::gen::inRange(9, 17);
  check_is(summed(any, Collective::kBarrier, "dissemination", 0), form::bruck_barrier(any.blade, any.chips, any.ranks));
  check_is(summed(any, Collective::kBarrier, "tree", 0),
           form::gather_broadcast_barrier(any.blade, any.chips, any.ranks));
  check_is(summed(any, Collective::kBarrier, "linear", 0), form::one_to_all_barrier(any.blade, any.chips, any.ranks));
  // Of 9 to 15 elements those beyond 8 are on the second chip: the first round and the last cross, and none between, of
  // which the table counts one and log2 8 + 1.
  const bool folds_across = any.chips == Chips::kTwo && any.ranks < 16;
  const Seconds more = folds_across ? any.blade.across.latency.at(16) - any.blade.chip.latency.at(16) : 0;
  check_is(summed(any, Collective::kBarrier, "recursive-doubling", 0),
           form::recursive_doubling_barrier(any.blade, any.chips, any.ranks) + more);
}

}  // namespace
}  // namespace postage
