#include "predict/formulas/job_links.hpp"
#include "predict/formulas/papers.hpp"

#include <postage/base/error.hpp>
#include <postage/model/loggp.hpp>
#include <postage/model/logp.hpp>
#include <postage/model/plogp.hpp>
#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/formulas/lastovetsky.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

constexpr std::string_view kSection2 = "Lastovetsky and Rychkov 2009, section 2";
constexpr std::string_view kSection3 = "Lastovetsky and Rychkov 2009, section 3";
constexpr std::string_view kSection5 = "Lastovetsky and Rychkov 2009, section 5";

std::int32_t measured(const FormulaJob& job, Rank rank) {
  return job.platform.channels().measured_rank(rank);
}

TransferQuestion question_of(const FormulaJob& job) {
  return {.source = measured(job, job.source),
          .target = measured(job, job.target),
          .channel = channel_between(job, job.source, job.target),
          .bytes = job.bytes};
}

Interval hockney_message(const FormulaJob& job) {
  return exactly(closed_form::message(concrete_model<Hockney>(job).links.at(question_of(job)), job.bytes));
}

Interval logp_message(const FormulaJob& job) {
  const LogPLink& link = concrete_model<LogP>(job).links.at(question_of(job));
  return exactly(link.send_overhead + link.latency + link.receive_overhead);
}

Interval loggp_message(const FormulaJob& job) {
  return exactly(closed_form::message(concrete_model<LogGP>(job).links.at(question_of(job)), job.bytes));
}

Interval plogp_message(const FormulaJob& job) {
  const PLogPLink& link = concrete_model<PLogP>(job).links.at(question_of(job));
  return exactly(link.latency + link.gap.at(static_cast<double>(job.bytes)));
}

Interval lmo_message(const FormulaJob& job) {
  return exactly(concrete_model<Lmo>(job).cost(question_of(job)).total());
}

Interval homogeneous_binomial(const FormulaJob& job) {
  const HockneyLink& link = link_on<Hockney>(job, only_channel(job), job.bytes);
  return exactly(closed_form::binomial_scatter(link, job.ranks, job.bytes));
}

/// Measured ranks by their virtual rank in the tree, whose root is 0.
std::vector<std::int32_t> ranks_from_root(const FormulaJob& job) {
  std::vector<std::int32_t> order;
  for (Rank virtual_rank = 0; virtual_rank < job.ranks; ++virtual_rank) {
    order.push_back(measured(job, (job.root + virtual_rank) % job.ranks));
  }
  return order;
}

Interval heterogeneous_binomial(const FormulaJob& job) {
  return exactly(
      closed_form::binomial_scatter(concrete_model<Hockney>(job), ranks_from_root(job), job.bytes, only_channel(job)));
}

template <typename Evaluate>
Interval of_linear_request(const FormulaJob& job, const Evaluate& evaluate_request) {
  const std::vector<std::int32_t> all = ranks_from_root(job);
  const std::span<const std::int32_t> others = std::span(all).subspan(1);
  return evaluate_request(concrete_model<Lmo>(job),
                          closed_form::LinearRequest{
                              .root = all.front(), .others = others, .block = job.bytes, .channel = only_channel(job)});
}

Interval lmo_scatter(const FormulaJob& job) {
  return of_linear_request(
      job, [](const Lmo& model, const auto& request) { return exactly(closed_form::linear_scatter(model, request)); });
}

Interval lmo_gather(const FormulaJob& job) {
  return of_linear_request(
      job, [](const Lmo& model, const auto& request) { return closed_form::linear_gather(model, request); });
}

Interval lmo_gather_as_printed(const FormulaJob& job) {
  return of_linear_request(job, [](const Lmo& model, const auto& request) {
    const Bytes large = model.fan_limits.gather_large;
    if (request.block <= large) {
      throw UsageError(large == FanLimits::kNever ? std::string("it holds above M_2, which the parameters lack")
                                                  : fmt::format("it holds above M_2 = {}, not at {}",
                                                                format_bytes(large), format_bytes(request.block)));
    }
    return exactly(closed_form::large_linear_gather_as_printed(model, request));
  });
}

Formula of_message(std::string_view name, std::vector<std::string_view> models, std::string_view source,
                   std::string_view equation, Interval (*function)(const FormulaJob&)) {
  return {.name = name,
          .collective = "p2p",
          .algorithm = "",
          .models = std::move(models),
          .source = source,
          .equation = equation,
          .conditions = "any message",
          .evaluate = function};
}

Formula of_binomial(std::string_view name, std::string_view collective, std::string_view source,
                    std::string_view equation, std::string_view conditions, Interval (*function)(const FormulaJob&)) {
  return {.name = name,
          .collective = collective,
          .algorithm = "binomial",
          .models = {"hockney"},
          .source = source,
          .equation = equation,
          .conditions = conditions,
          .evaluate = function};
}

}  // namespace

std::vector<Formula> lastovetsky_formulas() {
  constexpr std::string_view kLog = "(log2 n) alpha + (n-1) beta M";
  constexpr std::string_view kRecursion = "T(k) = alpha_rs + beta_rs 2^{k-1} M + max of both sub-trees' T(k-1)";
  constexpr std::string_view kOneLink = "P = n a power of two, all joined by one channel; M one rank's block";
  constexpr std::string_view kEachLink = "P = n a power of two; M one rank's block; [pair i j] for alpha_ij, beta_ij";
  return {
      of_message("lastovetsky-hockney", {"hockney"}, kSection2, "alpha + beta M", hockney_message),
      of_message("lastovetsky-logp", {"logp"}, kSection2, "L + 2o", logp_message),
      of_message("lastovetsky-loggp", {"loggp", "loggph"}, kSection2, "L + 2o + (M-1)G", loggp_message),
      of_message("lastovetsky-plogp", {"plogp"}, kSection2, "L + g(M)", plogp_message),
      of_message("lastovetsky-lmo", {"lmo"}, kSection5, "C_i + M t_i + C_j + M t_j + M/beta_ij", lmo_message),
      of_binomial("lastovetsky-binomial-scatter", "scatter", kSection3, kLog, kOneLink, homogeneous_binomial),
      of_binomial("lastovetsky-binomial-gather", "gather", kSection3, kLog, kOneLink, homogeneous_binomial),
      of_binomial("lastovetsky-eq1-scatter", "scatter", "Lastovetsky and Rychkov 2009, eq. 1", kRecursion, kEachLink,
                  heterogeneous_binomial),
      of_binomial("lastovetsky-eq1-gather", "gather", "Lastovetsky and Rychkov 2009, eq. 1", kRecursion, kEachLink,
                  heterogeneous_binomial),
      {.name = "lastovetsky-eq8",
       .collective = "scatter",
       .algorithm = "linear",
       .models = {"lmo"},
       .source = "Lastovetsky and Rychkov 2009, eq. 8",
       .equation = "n(C_0 + t_0 M) + max_i{C_i + t_i M + M/beta_0i} for M <= S, the sum over i for M > S",
       .conditions = "n = P-1 receivers; M one rank's block; without S none is above it",
       .evaluate = lmo_scatter},
      {.name = "lastovetsky-eq9-eq10",
       .collective = "gather",
       .algorithm = "linear",
       .models = {"lmo"},
       .source = "Lastovetsky and Rychkov 2009, eq. 9 and 10",
       .equation = "as eq. 8 with the maximum + kappa_1 M for M < M_1, with the sum + kappa_2 M for M > M_2; between "
                   "the two a range",
       .conditions = "n = P-1 senders, for the n-1 of eq. 10 too; M one rank's block; without M_1 and M_2 eq. 9",
       .evaluate = lmo_gather},
      {.name = "lastovetsky-eq10-printed",
       .collective = "gather",
       .algorithm = "linear",
       .models = {"lmo"},
       .source = "Lastovetsky and Rychkov 2009, eq. 10",
       .equation = "(n-1)(C_0 + t_0 M) + sum_i(C_i + t_i M + M/beta_0i) + kappa_2 M, as it is printed",
       .conditions = "n = P-1 senders; M one rank's block, above M_2",
       .evaluate = lmo_gather_as_printed},
  };
}

}  // namespace postage
