// The evaluator against the papers' formulas, and the papers' claims about them, for random parameters.
#include "closed_forms.hpp"

#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/formulas/lastovetsky.hpp>
#include <postage/predict/formulas/rico_gallego.hpp>
#include <postage/predict/formulas/tu.hpp>
#include <postage/predict/rounds/rounds.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace postage {
namespace {

ImplicitTransfers any_transfers() {
  ImplicitTransfers level;
  for (int more = *rc::gen::inRange(1, 5); more > 0; --more) {
    level.transfers.push_back({any_curve()});
  }
  return level;
}

Lmo any_uniform_lmo() {
  return with_link<Lmo>(LmoLink{any_time(1e-12), LmoProcessor{any_time(), any_time(1e-12)}});
}

/// One whose messages are not gets: those are acknowledged, and have formulas of their own.
Model any_model() {
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      return with_link<Hockney>(HockneyLink{any_time(), any_time(1e-12)});
    case 1: {
      const LogGPLink link = any_loggp();
      return with_link<LogP>(LogPLink{link.latency, link.send_overhead, link.receive_overhead, link.gap});
    }
    case 2:
      return with_link<LogGP>(any_loggp());
    case 3:
      return with_link<LogGPS>(LogGPSLink{any_loggp(), *rc::gen::inRange<Bytes>(0, 100000), any_time()});
    case 4:
      return with_link<LogGPC>(LogGPCLink{any_loggp(), CostSurface({{1, CostCurve()}, {8, any_curve()}})});
    case 5:
      return with_link<PLogP>(any_plogp());
    case 6:
      return any_uniform_lmo();
    case 7:
      return LogNP{any_transfers()};
    case 8:
      return with_link<MLogNP>(any_transfers());
    case 9:
      return Log3P{any_level(true)};
    case 10:
      return with_link<TwoLog>(any_level(true));
    default:
      return with_link<TauLop>(any_memory());
  }
}

RC_GTEST_PROP(Evaluator, EqualsTheFormulasOfEveryModel, ()) {
  const Model model = any_model();
  const Rank ranks = *rc::gen::inRange(1, 200);
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 200000);
  const TransferCost message = cost(model, {.bytes = bytes});
  ScheduleRequest request{.ranks = ranks, .root = *rc::gen::inRange(0, ranks), .bytes = bytes};
  check_equal(evaluate(Collective::kBcast, "linear", request, model), closed_form::linear_bcast(message, ranks));
  check_at_most(evaluate(Collective::kBcast, "binomial", request, model), closed_form::binomial_bcast(message, ranks));
  check_equal(evaluate(Collective::kBarrier, "dissemination", {.ranks = ranks}, model),
              closed_form::dissemination_barrier(cost(model, {}), ranks));

  request.segment_bytes = *rc::gen::inRange<Bytes>(1, 5000);
  const Index segments = *rc::gen::inRange<Index>(1, 20);
  request.bytes = request.segment_bytes * segments;
  check_equal(evaluate(Collective::kBcast, "pipeline", request, model),
              closed_form::pipeline_bcast(cost(model, {.bytes = request.segment_bytes}), ranks, segments));
}

RC_GTEST_PROP(Evaluator, EqualsEveryModelsBinomialFormulaForPowersOfTwo, ()) {
  const Model model = any_model();
  const ScheduleRequest request{.ranks = 1 << *rc::gen::inRange(0, 9), .bytes = *rc::gen::inRange<Bytes>(1, 200000)};
  check_equal(evaluate(Collective::kBcast, "binomial", request, model),
              closed_form::binomial_bcast(cost(model, {.bytes = request.bytes}), request.ranks));
}

RC_GTEST_PROP(Tu, TheEvaluatorIsTheFormulaOfTwoLog, ()) {
  const MiddlewareLevel node = any_level(false);
  const MiddlewareLevel network = dearer_than(node);
  TwoLog model;
  model.links.set_channel(0, {{0, node}});
  model.links.set_channel(1, {{0, network}});
  const std::int32_t nodes = 1 << *rc::gen::inRange(0, 4);
  const std::int32_t per_node = 1 << *rc::gen::inRange(0, 4);
  const ChannelMap channels = cluster(nodes, per_node);
  ScheduleRequest request{.ranks = nodes * per_node, .bytes = *rc::gen::inRange<Bytes>(1, 20000)};
  check_equal(evaluate(Collective::kBcast, "linear", request, channels, model),
              closed_form::linear_bcast(node, network, request.ranks, nodes, request.bytes, 0));
  const auto binomial = [&] {
    const std::int64_t within = closed_form::transfers_within_node(channels.mapping(), request.ranks, request.root);
    return closed_form::binomial_bcast(node, network, request.ranks, within, request.bytes, 0);
  };
  check_equal(evaluate(Collective::kBcast, "binomial", request, channels, model), binomial());
  // From a root elsewhere the way of the formula is one way, and the slowest may be another.
  request.root = *rc::gen::inRange(0, request.ranks);
  check_at_most(binomial(), evaluate(Collective::kBcast, "binomial", request, channels, model));
}

RC_GTEST_PROP(Tu, Log3POverestimatesAndThePrintLeavesOutTheLastHalf, ()) {
  const MiddlewareLevel node = any_level(false);
  const MiddlewareLevel network = dearer_than(node);
  const std::int64_t nodes = *rc::gen::inRange(2, 9);
  const std::int64_t ranks = nodes * *rc::gen::inRange(1, 17);
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 20000);
  const Bytes stride = *rc::gen::element<Bytes>(0, 8, 64, 512);
  const Seconds linear = closed_form::linear_bcast(node, network, ranks, nodes, bytes, stride);
  check_at_most(linear, closed_form::linear_bcast(network, ranks, bytes, stride));
  check_equal(linear - closed_form::linear_bcast_as_printed(node, network, ranks, nodes, bytes, stride) + linear,
              network.middleware(bytes, stride) / 2 + linear);
  const std::int64_t within = *rc::gen::inRange<std::int64_t>(0, 3);
  check_at_most(closed_form::binomial_bcast(node, network, 64, within, bytes, stride),
                closed_form::binomial_bcast(network, 64, bytes, stride));
}

RC_GTEST_PROP(RicoGallego, AllgatherIsDearerThanTwoScattersForTauLopAndEquallyDearForLogGP, ()) {
  const TauLopLink memory = any_memory();
  const LogGPLink link = any_loggp();
  const std::int64_t ranks = std::int64_t{1} << *rc::gen::inRange(0, 8);
  const Bytes segment = *rc::gen::inRange<Bytes>(1, 100000);
  const std::int64_t segments = *rc::gen::inRange(1, 1000);
  RC_ASSERT(closed_form::binomial_scatter(link, ranks, segment, segments) ==
            closed_form::recursive_doubling_allgather(link, ranks, segment, segments));
  const Seconds scatter = closed_form::binomial_scatter(memory, ranks, segment, segments);
  const Seconds allgather = closed_form::recursive_doubling_allgather(memory, ranks, segment, segments);
  check_at_most(2 * scatter, allgather);
  const auto size = static_cast<double>(segment);
  if (ranks > 2 && memory.transfer.at(size, static_cast<double>(ranks)) > memory.transfer.at(size, 2) * 1.001) {
    RC_ASSERT(allgather > 2 * scatter);
  }
}

RC_GTEST_PROP(RicoGallego, ARingRoundRobinIsDearerThanASequentialOne, ()) {
  const TauLopLink memory = any_memory();
  TauLopLink network;
  network.transfer = any_contended_surface(sum_of(memory.transfer.rows().back().curve, any_curve()));
  const std::int64_t per_node = *rc::gen::inRange(1, 9);
  const std::int64_t ranks = per_node * *rc::gen::inRange(2, 9);
  const Bytes bytes = *rc::gen::inRange<Bytes>(1, 100000);
  // The network must be dearer than memory also at the contention that memory sees.
  RC_PRE(memory.transfer.at(static_cast<double>(bytes), static_cast<double>(per_node)) <=
         network.transfer.at(static_cast<double>(bytes), 1));
  check_at_most(closed_form::sequential_ring_allgather(memory, network, ranks, per_node, bytes),
                closed_form::round_robin_ring_allgather(memory, network, ranks, per_node, bytes));

  const LogGPLink node = any_loggp();
  LogGPLink dearer = node;
  dearer.latency += any_time();
  dearer.gap_per_byte += any_time(1e-12);
  check_at_most(closed_form::sequential_ring_allgather(node, dearer, ranks, bytes),
                closed_form::round_robin_ring_allgather(dearer, ranks, bytes));
}

// The binomial broadcast of section 3 counts on contention in each stage; without it the evaluator is faster.
RC_GTEST_PROP(RicoGallego, ContentionOnlyAdds, ()) {
  const TauLopLink memory = any_memory();
  const ScheduleRequest request{.ranks = *rc::gen::inRange(1, 200), .bytes = *rc::gen::inRange<Bytes>(1, 100000)};
  check_at_most(evaluate(Collective::kBcast, "binomial", request, with_link<TauLop>(memory)),
                closed_form::binomial_bcast(memory, request.ranks, request.bytes));
}

/// One measured rank on each node.
ChannelMap single_cores(Rank ranks) {
  Platform platform{.channels = {kInterNode}};
  for (Rank rank = 0; rank < ranks; ++rank) {
    platform.nodes.push_back({"n", {{{0, 0, 0, 0}}}});
    platform.ranks.push_back({rank, 0});
  }
  return {platform, Mapping::block(ranks, 1)};
}

RC_GTEST_PROP(Lastovetsky, TheEvaluatorIsEquationsEightToTen, ()) {
  Lmo model = any_uniform_lmo();
  const Rank ranks = *rc::gen::inRange(3, 30);
  std::vector<std::int32_t> others(static_cast<std::size_t>(ranks) - 1);
  std::iota(others.begin(), others.end(), 1);
  const Bytes block = *rc::gen::inRange<Bytes>(0, 100000);
  model.fan_limits = {.scatter_step = *rc::gen::inRange<Bytes>(0, 100000),
                      .gather_small = 50000,
                      .gather_large = 50000,
                      .small_correction = any_time(1e-12),
                      .large_correction = any_time(1e-12)};
  for (Rank rank = 0; rank < ranks && *rc::gen::arbitrary<bool>(); ++rank) {
    model.processors.push_back({{0, {any_time(), any_time(1e-12)}}});
    if (rank > 0) {
      model.links.set_pair(0, rank, {{0, {any_time(1e-12)}}});
    }
  }
  const ChannelMap channels = single_cores(ranks);
  const auto check = [&](Collective collective, Seconds formula) {
    const Schedule schedule = build_schedule(find_algorithm(collective, "linear"), {.ranks = ranks, .bytes = block});
    check_equal(play(schedule, channels, model).seconds(), formula);
    check_equal(sum_rounds(schedule, channels, model).seconds, formula);
  };
  check(Collective::kScatter, closed_form::linear_scatter(model, {0, others, block}));
  check(Collective::kGather, closed_form::linear_gather(model, {0, others, block}).upper);
}

RC_GTEST_PROP(Lastovetsky, TheEvaluatorIsTheRecursionOfHeterogeneousHockney, ()) {
  const Rank ranks = 1 << *rc::gen::inRange(1, 6);
  Hockney model;
  for (Rank a = 0; a < ranks; ++a) {
    for (Rank b = a + 1; b < ranks; ++b) {
      model.links.set_pair(a, b, {{0, {any_time(), any_time(1e-12)}}});
    }
  }
  const Rank root = *rc::gen::inRange(0, ranks);
  std::vector<std::int32_t> order;
  for (Rank v = 0; v < ranks; ++v) {
    order.push_back((root + v) % ranks);
  }
  const Bytes block = *rc::gen::inRange<Bytes>(0, 10000);
  const ScheduleRequest request{.ranks = ranks, .root = root, .bytes = block};
  const Seconds formula = closed_form::binomial_scatter(model, order, block);
  check_equal(evaluate(Collective::kScatter, "binomial", request, single_cores(ranks), model), formula);
}

RC_GTEST_PROP(Lastovetsky, TheRecursionIsTheHomogeneousFormulaWhereLinksAreAlike, ()) {
  const HockneyLink link{any_time(), any_time(1e-12)};
  const auto model = with_link<Hockney>(link);
  std::vector<std::int32_t> order(std::size_t{1} << *rc::gen::inRange(0, 7));
  std::iota(order.begin(), order.end(), 0);
  const Bytes block = *rc::gen::inRange<Bytes>(0, 100000);
  const Seconds formula = closed_form::binomial_scatter(link, static_cast<std::int64_t>(order.size()), block);
  check_equal(closed_form::binomial_scatter(model, order, block), formula);
  const ScheduleRequest request{.ranks = static_cast<Rank>(order.size()), .bytes = block};
  check_equal(evaluate(Collective::kScatter, "binomial", request, model), formula);
  check_equal(evaluate(Collective::kGather, "binomial", request, model), formula);
}

}  // namespace
}  // namespace postage
