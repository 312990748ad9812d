// The evaluator against the formulas of Ali et al. for the Cell, for random parameters.
#include "closed_forms.hpp"

#include <postage/predict/formulas/ali.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postage {
namespace {

using closed_form::cell::Blade;
using closed_form::cell::Chips;

Blade any_blade() {
  Blade blade{.chip = any_cell_link(), .across = any_cell_link(), .combine_per_byte = any_time(1e-13)};
  blade.across.contention = CostSurface({{2, CostCurve()}, {16, any_curve()}});
  return blade;
}

RC_GTEST_PROP(Ali, TheEvaluatorIsBruckOnOneChipAndNotSlowerOnTwo, ()) {
  Blade blade = any_blade();
  blade.chip.gap_of_ack =
      0;  // between signals of two rounds it may be longer than a round, of which the formula says nothing
  CellPLogP model;
  model.links.set_channel(0, {{0, blade.chip}});
  model.links.set_channel(1, {{0, blade.across}});
  const Rank one = *rc::gen::inRange(1, 9);
  check_equal(evaluate(Collective::kBarrier, "dissemination", {.ranks = one}, cluster(1, 8), model),
              closed_form::cell::bruck_barrier(blade, Chips::kOne, one));
  // The formula has every round wait for a message across; no chain of messages crosses in every round. It knows no
  // gaps, which keep a message waiting that one of a later round, over the other channel, has just overtaken.
  const Rank two = *rc::gen::inRange(9, 17);
  model.links.set_channel(0, {{0, {.latency = blade.chip.latency, .gap = CostCurve::constant(0)}}});
  model.links.set_channel(1, {{0, {.latency = blade.across.latency, .gap = CostCurve::constant(0)}}});
  check_at_most(evaluate(Collective::kBarrier, "dissemination", {.ranks = two}, cluster(2, 8), model),
                closed_form::cell::bruck_barrier(blade, Chips::kTwo, two));
}

RC_GTEST_PROP(Ali, OneToAllIsALinearBroadcast, ()) {
  Blade blade = any_blade();
  const Rank ranks = *rc::gen::inRange(2, 9);
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 100000);
  const Interval all = closed_form::cell::one_to_all_bcast(blade, Chips::kOne, ranks, bytes);
  const auto evaluated = [&] {
    return evaluate(Collective::kBcast, "linear", {.ranks = ranks, .bytes = bytes}, with_link<CellPLogP>(blade.chip));
  };
  check_equal(evaluated(), all.upper);
  check_equal(all.upper, all.lower + (ranks - 2) * blade.chip.gap_of_ack);
  blade.chip.gap_of_ack = 0;
  check_equal(evaluated(), all.lower);
}

// Two chips whose link is like the chips' own, and does not congest, are one.
RC_GTEST_PROP(Ali, TwoLikeChipsAreOne, ()) {
  namespace form = closed_form::cell;
  Blade blade = any_blade();
  blade.across = blade.chip;
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 30000);
  const auto same = [&](const auto& formula) { check_equal(formula(Chips::kTwo), formula(Chips::kOne)); };
  same([&](Chips chips) { return form::recursive_doubling_barrier(blade, chips, 16); });
  same([&](Chips chips) { return form::recursive_doubling_barrier(blade, chips, 13); });
  same([&](Chips chips) { return form::bruck_barrier(blade, chips, 16); });
  same([&](Chips chips) { return form::gather_broadcast_barrier(blade, chips, 16); });
  same([&](Chips chips) { return form::optimised_binomial_bcast(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::segmented_binomial_bcast(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::recursive_doubling_allgather(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::binomial_reduce(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::reduce_scatter_gather_reduce(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::recursive_doubling_allreduce(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::reduce_scatter_allgather_allreduce(blade, chips, 16, bytes); });
  same([&](Chips chips) { return form::reduce_scatter_gather_bcast_allreduce(blade, chips, 16, bytes); });
}

// A hybrid that switches in the first round is recursive doubling throughout.
RC_GTEST_PROP(Ali, HybridsBeginWithRecursiveDoubling, ()) {
  namespace form = closed_form::cell;
  const Blade blade = any_blade();
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 3000);
  check_equal(form::hybrid_allgather(blade, 16, bytes, 1),
              form::recursive_doubling_allgather(blade, Chips::kTwo, 16, bytes));
  check_equal(form::hybrid_b_allreduce(blade, 16, bytes, 1),
              form::reduce_scatter_allgather_allreduce(blade, Chips::kTwo, 16, bytes));
  // Table 5 charges recursive doubling one more acknowledgement a round.
  check_equal(
      form::hybrid_a_allreduce(blade, 16, bytes, 1) + 3 * blade.chip.latency.at(16) + blade.across.latency.at(16),
      form::recursive_doubling_allreduce(blade, Chips::kTwo, 16, bytes));
}

}  // namespace
}  // namespace postage
