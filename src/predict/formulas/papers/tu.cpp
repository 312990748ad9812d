#include "predict/formulas/job_links.hpp"
#include "predict/formulas/papers.hpp"

#include <postage/model/two_log.hpp>
#include <postage/predict/formulas/tu.hpp>

namespace postage {
namespace {

constexpr std::string_view kEq1 = "Tu et al. 2009, eq. 1";
constexpr std::string_view kEq3 = "Tu et al. 2009, eq. 3";
constexpr std::string_view kEq4 = "Tu et al. 2009, eq. 4";
constexpr std::string_view kSection4 = "Tu et al. 2009, section IV.B";

Interval log_np_message(const FormulaJob& job) {
  Seconds sum = 0;
  for (const ImplicitTransfer& transfer : concrete_model<LogNP>(job).level.transfers) {
    sum += transfer.seconds(job.bytes, stride_of(job));
  }
  return exactly(sum);
}

Interval log_3p_message(const FormulaJob& job) {
  const MiddlewareLevel& level = concrete_model<Log3P>(job).level;
  return exactly(level.middleware(job.bytes, stride_of(job)) + level.network.at(static_cast<double>(job.bytes)));
}

Interval two_log_message(const FormulaJob& job) {
  const MiddlewareLevel& level = link_on<TwoLog>(job, channel_between(job, job.source, job.target), job.bytes);
  return exactly(level.middleware(job.bytes, stride_of(job)) + level.network.at(static_cast<double>(job.bytes)));
}

Interval log_3p_linear(const FormulaJob& job) {
  return exactly(closed_form::linear_bcast(concrete_model<Log3P>(job).level, job.ranks, job.bytes, stride_of(job)));
}

Interval log_3p_binomial(const FormulaJob& job) {
  return exactly(closed_form::binomial_bcast(concrete_model<Log3P>(job).level, job.ranks, job.bytes, stride_of(job)));
}

/// The levels of full nodes, which may follow one another or be dealt in turn.
struct TwoLevels {
  FullNodes shape;
  const MiddlewareLevel& node;
  const MiddlewareLevel& network;
};

TwoLevels two_levels(const FormulaJob& job) {
  const FullNodes shape =
      full_nodes(job, job.platform.channels().mapping().kind() == Mapping::Kind::kCyclic ? Mapping::Kind::kCyclic
                                                                                         : Mapping::Kind::kBlock);
  return {shape, link_on<TwoLog>(job, shape.within, job.bytes), link_on<TwoLog>(job, shape.between, job.bytes)};
}

Interval two_log_linear_as_printed(const FormulaJob& job) {
  const TwoLevels levels = two_levels(job);
  return exactly(closed_form::linear_bcast_as_printed(levels.node, levels.network, job.ranks, levels.shape.nodes,
                                                      job.bytes, stride_of(job)));
}

Interval two_log_linear(const FormulaJob& job) {
  const TwoLevels levels = two_levels(job);
  return exactly(
      closed_form::linear_bcast(levels.node, levels.network, job.ranks, levels.shape.nodes, job.bytes, stride_of(job)));
}

Interval two_log_binomial(const FormulaJob& job) {
  const TwoLevels levels = two_levels(job);
  const std::int64_t within =
      closed_form::transfers_within_node(job.platform.channels().mapping(), job.ranks, job.root);
  return exactly(
      closed_form::binomial_bcast(levels.node, levels.network, job.ranks, within, job.bytes, stride_of(job)));
}

}  // namespace

std::vector<Formula> tu_formulas() {
  return {
      {.name = "tu-eq1",
       .collective = "p2p",
       .algorithm = "",
       .models = {"lognp"},
       .source = kEq1,
       .equation = "sum_{i=0}^{n-1} (o_i + l_i), o_i = f(s,1)_i, l_i = f(s,d)_i",
       .conditions = "any message",
       .evaluate = log_np_message},
      {.name = "tu-eq3",
       .collective = "p2p",
       .algorithm = "",
       .models = {"log3p"},
       .source = kEq3,
       .equation = "o_mw + l_mw + o_net",
       .conditions = "any message",
       .evaluate = log_3p_message},
      {.name = "tu-eq4",
       .collective = "p2p",
       .algorithm = "",
       .models = {"2log23p"},
       .source = kEq4,
       .equation = "o_mw + l_mw within a node, o'_mw + l'_mw + o'_net between nodes",
       .conditions = "any message",
       .evaluate = two_log_message},
      {.name = "tu-linear-log3p",
       .collective = "bcast",
       .algorithm = "linear",
       .models = {"log3p"},
       .source = kSection4,
       .equation = "P (o'_mw/2 + l'_mw/2) + o'_net",
       .conditions = "any P; P-1 sends at the root, one receive at the last rank",
       .evaluate = log_3p_linear},
      {.name = "tu-linear-2log23p",
       .collective = "bcast",
       .algorithm = "linear",
       .models = {"2log23p"},
       .source = kSection4,
       .equation = "(P/n-1)(o_mw/2 + l_mw/2) + (P-(P/n-1)-1)(o'_mw/2 + l'_mw/2) + o'_net",
       .conditions = "P/n > 1 ranks on each of n > 1 nodes; leaves out the last receiver's half",
       .evaluate = two_log_linear_as_printed},
      {.name = "tu-linear-2log23p-complete",
       .collective = "bcast",
       .algorithm = "linear",
       .models = {"2log23p"},
       .source = kSection4,
       .equation = "(P/n-1)(o_mw/2 + l_mw/2) + (P-(P/n-1))(o'_mw/2 + l'_mw/2) + o'_net",
       .conditions = "as tu-linear-2log23p, with the last receiver's half, which the log_3P form has",
       .evaluate = two_log_linear},
      {.name = "tu-binomial-log3p",
       .collective = "bcast",
       .algorithm = "binomial",
       .models = {"log3p"},
       .source = kSection4,
       .equation = "(o'_mw + l'_mw + o'_net) log2 P",
       .conditions = "P a power of two, else the next higher one's",
       .evaluate = log_3p_binomial},
      {.name = "tu-binomial-2log23p",
       .collective = "bcast",
       .algorithm = "binomial",
       .models = {"2log23p"},
       .source = kSection4,
       .equation = "(o_mw + l_mw) n + (o'_mw + l'_mw + o'_net)(log2 P - n)",
       .conditions = "P a power of two on full nodes; n transfers of the longest way stay within a node",
       .evaluate = two_log_binomial},
  };
}

}  // namespace postage
