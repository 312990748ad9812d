#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postage {
namespace {

double any_positive(double scale) {
  return scale * *rc::gen::inRange(1, 1000);
}

HockneyLink any_hockney() {
  return {any_positive(1e-8), any_positive(1e-12)};
}

/// Parameters within the formulas' assumptions: o_s + o_r <= g <= L + 2o.
LogGPLink any_steady_link() {
  LogGPLink link{
      .send_overhead = any_positive(1e-8), .receive_overhead = any_positive(1e-8), .gap_per_byte = any_positive(1e-12)};
  const double overheads = link.send_overhead + link.receive_overhead;
  link.gap = overheads + any_positive(1e-9);
  link.latency = link.gap - overheads + any_positive(1e-8);
  return link;
}

Model model_of(const HockneyLink& link) {
  Hockney model;
  model.links.set_channel(0, {{0, link}});
  return model;
}

Model model_of(const LogGPLink& link) {
  LogGP model;
  model.links.set_channel(0, {{0, link}});
  return model;
}

Seconds evaluate(Collective collective, std::string_view name, const ScheduleRequest& request, const auto& link) {
  const Schedule schedule = build_schedule(find_algorithm(collective, name), request);
  return play(schedule, ChannelMap::single_channel(), model_of(link)).seconds();
}

void check_equal(Seconds evaluator, Seconds formula) {
  RC_ASSERT(std::abs(evaluator - formula) <= 1e-12 * std::abs(formula));
}

ScheduleRequest any_request() {
  const Rank ranks = *rc::gen::inRange(1, 300);
  return {.ranks = ranks, .root = *rc::gen::inRange(0, ranks), .bytes = *rc::gen::inRange<Bytes>(1, 100000)};
}

template <typename Link>
void check_formulas(const Link& link) {
  ScheduleRequest request = any_request();
  check_equal(evaluate(Collective::kBcast, "linear", request, link),
              closed_form::linear_bcast(link, request.ranks, request.bytes));
  check_equal(evaluate(Collective::kBarrier, "dissemination", request, link),
              closed_form::dissemination_barrier(link, request.ranks));

  const Bytes piece = *rc::gen::inRange<Bytes>(1, 3000);
  const Index segments = *rc::gen::inRange<Index>(1, 30);
  request.bytes = piece * segments;
  request.segment_bytes = piece;
  check_equal(evaluate(Collective::kBcast, "pipeline", request, link),
              closed_form::pipeline_bcast(link, request.ranks, piece, segments));
}

RC_GTEST_PROP(Timeline, EqualsTheClosedFormsOfHockney, ()) {
  check_formulas(any_hockney());
}

RC_GTEST_PROP(Timeline, EqualsTheClosedFormsOfLogGP, ()) {
  check_formulas(any_steady_link());
}

RC_GTEST_PROP(Timeline, EqualsTheBinomialFormulaForPowersOfTwo, ()) {
  const ScheduleRequest request{.ranks = 1 << *rc::gen::inRange(0, 10), .bytes = *rc::gen::inRange<Bytes>(1, 1000000)};
  const LogGPLink loggp = any_steady_link();
  const HockneyLink hockney = any_hockney();
  check_equal(evaluate(Collective::kBcast, "binomial", request, loggp),
              closed_form::binomial_bcast(loggp, request.ranks, request.bytes));
  check_equal(evaluate(Collective::kBcast, "binomial", request, hockney),
              closed_form::binomial_bcast(hockney, request.ranks, request.bytes));
}

// The formula lets every stage wait for its slowest message; the evaluator's ranks go on when they can.
RC_GTEST_PROP(Timeline, IsNeverSlowerThanTheBinomialFormula, ()) {
  const ScheduleRequest request = any_request();
  const LogGPLink link = any_steady_link();
  RC_ASSERT(evaluate(Collective::kBcast, "binomial", request, link) <=
            closed_form::binomial_bcast(link, request.ranks, request.bytes) * (1 + 1e-12));
}

}  // namespace
}  // namespace postage
