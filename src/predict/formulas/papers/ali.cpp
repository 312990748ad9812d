#include "predict/formulas/job_links.hpp"
#include "predict/formulas/papers.hpp"

#include <postage/predict/formulas/ali.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

namespace postage {
namespace {

using closed_form::cell::Blade;
using closed_form::cell::Chips;

constexpr std::int64_t kOnChip = 8;

/// A blade with the parameters that the job's ranks have: one chip where one channel joins them, two where they fill
/// one node and the next takes the rest, which are the chips.
struct Elements {
  Blade blade;
  Chips chips = Chips::kOne;
};

/// Latencies and gaps at the parameters' values; g_Ack, which only the upper model has, for the upper end of X.
CellPLogPLink link_with_ack_gap(const FormulaJob& job, ChannelId channel) {
  CellPLogPLink link = link_on<CellPLogP>(job, channel, job.bytes);
  if (const auto* upper = job.platform.at(Bound::kUpper).target<CellPLogP>()) {
    link.gap_of_ack = upper->links.at({.channel = channel, .bytes = job.bytes}).gap_of_ack;
  }
  return link;
}

Elements elements_of(const FormulaJob& job) {
  const CellPLogP& model = concrete_model<CellPLogP>(job);
  Elements elements;
  elements.blade.combine_per_byte = model.combine_per_byte;
  if (is_on_one_node(job)) {
    elements.blade.chip = link_with_ack_gap(job, only_channel(job));
    return elements;
  }
  const Mapping& mapping = job.platform.channels().mapping();
  if (mapping.kind() != Mapping::Kind::kBlock || mapping.per_node() != kOnChip || job.ranks > 2 * kOnChip) {
    throw UsageError(
        "it is for a chip of up to 8 elements, or two: give --nodes 2 --per-node 8, with [inter-node] for "
        "what crosses the chips");
  }
  elements.chips = Chips::kTwo;
  elements.blade.chip = link_with_ack_gap(job, channel_between(job, 0, 1));
  elements.blade.across = link_with_ack_gap(job, channel_between(job, 0, kOnChip));
  return elements;
}

Elements two_chips(const FormulaJob& job) {
  Elements elements = elements_of(job);
  if (elements.chips == Chips::kOne) {
    throw UsageError("it is for two chips: give --nodes 2 --per-node 8, with [inter-node] for what crosses the chips");
  }
  return elements;
}

Interval exactly_or(Seconds seconds) {
  return exactly(seconds);
}
Interval exactly_or(const Interval& interval) {
  return interval;
}

template <auto function>
Interval barrier(const FormulaJob& job) {
  const Elements e = elements_of(job);
  return exactly_or(function(e.blade, e.chips, job.ranks));
}

template <auto function>
Interval of_message_size(const FormulaJob& job) {
  const Elements e = elements_of(job);
  return exactly_or(function(e.blade, e.chips, job.ranks, job.bytes));
}

template <auto function>
Interval of_part(const FormulaJob& job) {
  const Elements e = elements_of(job);
  return exactly(function(e.blade, e.chips, job.ranks, part_of_vector(job)));
}

template <auto function>
Interval hybrid(const FormulaJob& job) {
  return exactly(function(two_chips(job).blade, job.ranks, job.bytes, setting_or(job, "x", 2)));
}

Interval hybrid_b(const FormulaJob& job) {
  return exactly(closed_form::cell::hybrid_b_allreduce(two_chips(job).blade, job.ranks, part_of_vector(job),
                                                       setting_or(job, "x", 2)));
}

Interval hybrid_segmented(const FormulaJob& job) {
  return exactly(closed_form::cell::hybrid_segmented_bcast(two_chips(job).blade, job.ranks, job.bytes));
}

Interval simple_binomial(const FormulaJob& job) {
  const Elements e = elements_of(job);
  return closed_form::cell::simple_binomial_bcast(e.blade, e.chips, job.ranks, job.bytes,
                                                  closed_form::cell::binomial_gaps(e.chips, job.ranks));
}

Interval simple_binomial_as_printed(const FormulaJob& job) {
  return closed_form::cell::simple_binomial_bcast(two_chips(job).blade, Chips::kTwo, job.ranks, job.bytes,
                                                  closed_form::cell::kPrintedBinomialGapsOfTwoChips);
}

/// The channel of a level that joins no two ranks, or too many for a blade.
CellPLogPLink link_of_level(const FormulaJob& job, std::string_view name) {
  const std::span<const std::string> names = job.platform.channel_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw UsageError(fmt::format("it has the parameters of a level '{}', which --levels does not name", name));
  }
  return link_on<CellPLogP>(job, static_cast<ChannelId>(found - names.begin()), job.bytes);
}

/// Nodes of `blades` blades of 16 elements.
struct NodesOfBlades {
  Blade blade;
  CellPLogPLink network;
  std::int64_t nodes = 0;
};

NodesOfBlades nodes_of(const FormulaJob& job, std::int64_t blades, std::string_view levels) {
  const std::int64_t per_node = blades * 2 * kOnChip;
  const Mapping& mapping = job.platform.channels().mapping();
  if (is_on_one_node(job) || mapping.kind() != Mapping::Kind::kBlock || mapping.per_node() != per_node ||
      job.ranks % per_node != 0) {
    throw UsageError(fmt::format(
        "it is for nodes of {} elements: give -P {} --nodes 2 --per-node {} --levels {}, or more of these nodes",
        per_node, 2 * per_node, per_node, levels));
  }
  return {.blade = {.chip = link_on<CellPLogP>(job, channel_between(job, 0, 1), job.bytes),
                    .across = link_on<CellPLogP>(job, channel_between(job, 0, kOnChip), job.bytes)},
          .network = link_on<CellPLogP>(job, channel_between(job, 0, static_cast<Rank>(per_node)), job.bytes),
          .nodes = job.ranks / per_node};
}

Interval cluster_barrier(const FormulaJob& job) {
  const NodesOfBlades n = nodes_of(job, 1, "eib:8,bif:16,ppe:16,inter-node");
  return closed_form::cell::cluster_barrier(n.blade, link_of_level(job, "ppe"), n.network, n.nodes);
}

Interval roadrunner_barrier(const FormulaJob& job) {
  const NodesOfBlades n = nodes_of(job, 2, "eib:8,bif:16,ppe:16,pcie:32,infiniband");
  return exactly(closed_form::cell::roadrunner_barrier(n.blade, link_of_level(job, "ppe"), link_of_level(job, "pcie"),
                                                       n.network, n.nodes));
}

constexpr std::string_view kAnyChips = "one chip of up to 8 elements, or two of 8 (--nodes 2 --per-node 8)";
constexpr std::string_view kPower = "p a power of two on one chip or two; m one rank's message";
constexpr std::string_view kParts = "p a power of two on one chip or two; m one rank's part of the vector";
constexpr std::string_view kTwo = "p a power of two on two chips";

struct Place {
  std::string_view collective;
  std::string_view algorithm;
  std::string_view source;
};

constexpr Place of_barrier(std::string_view algorithm) {
  return {"barrier", algorithm, "Ali et al. 2010, table 1"};
}
constexpr Place of_bcast(std::string_view algorithm) {
  return {"bcast", algorithm, "Ali et al. 2010, table 2"};
}
constexpr Place of_allgather(std::string_view algorithm) {
  return {"allgather", algorithm, "Ali et al. 2010, table 3"};
}
constexpr Place of_reduce(std::string_view algorithm) {
  return {"reduce", algorithm, "Ali et al. 2010, table 4"};
}
constexpr Place of_allreduce(std::string_view algorithm) {
  return {"allreduce", algorithm, "Ali et al. 2010, table 5"};
}

Formula row(std::string_view name, const Place& place, std::string_view equation, std::string_view conditions,
            Interval (*function)(const FormulaJob&)) {
  return {.name = name,
          .collective = place.collective,
          .algorithm = place.algorithm,
          .models = {"plogp-cell"},
          .source = place.source,
          .equation = equation,
          .conditions = conditions,
          .evaluate = function};
}

std::vector<Formula> without_reduction() {
  namespace form = closed_form::cell;
  return {
      row("ali-barrier-recursive-doubling", of_barrier("recursive-doubling"),
          "one: log2 p L(1); two: (log2 p - 1) L1(1) + L2(1); other p: two rounds more", kAnyChips,
          barrier<form::recursive_doubling_barrier>),
      row("ali-barrier-bruck", of_barrier("dissemination"),
          "one: ceil(log2 p) L(1); two: ceil(log2 p) max{L1(1), L2(1)}", kAnyChips, barrier<form::bruck_barrier>),
      row("ali-barrier-gather-broadcast", of_barrier("tree"),
          "one: 2 ceil(log2 p) L(1); two: 2[L2(1) + (ceil(log2 p) - 1) L1(1)]", kAnyChips,
          barrier<form::gather_broadcast_barrier>),
      row("ali-barrier-one-to-all", of_barrier("linear"),
          "one: q g(1) + 2 L(1) + X, q = p-2; two: 2(L1(1) + L2(1)) + q1 g1(1) + q2 g2(1) + X, q1 = 6, q2 = p-9",
          kAnyChips, barrier<form::one_to_all_barrier>),
      row("ali-barrier-cluster", {"barrier", "recursive-doubling", "Ali et al. 2010, section 6.1"},
          "max{3 L1(1) + L2(1), Lsp(1) + gsp(1), ceil(log2 N)(Lnode(1) + gnode(1))} + Lps(1) + 3 L1(1) + L2(1), to "
          "the sum of the maximum of the first two and the third, where blades end before nodes begin",
          "N blades of 16: --per-node 16 --levels eib:8,bif:16,ppe:16,inter-node, with [ppe] for Lsp, gsp and Lps",
          cluster_barrier),
      row("ali-barrier-roadrunner", {"barrier", "recursive-doubling", "Ali et al. 2010, section 6.2"},
          "max{3 L1(1) + L2(1), Lsp(1) + 15 gsp(1)} + L3(1) + log2 N L4(1) + L3(1) + g3(1) + Lps(1) + 3 L1(1) + L2(1)",
          "N triblade nodes, a power of two: --per-node 32 --levels eib:8,bif:16,ppe:16,pcie:32,infiniband",
          roadrunner_barrier),
      row("ali-bcast-one-to-all", of_bcast("linear"),
          "one: q g(m) + L(m) + L(1) + X, q = p-2; two: L1(m) + q1 g1(m) + L2(m) + q2 g2(m) + L1(1) + L2(1) + X",
          kAnyChips, of_message_size<form::one_to_all_bcast>),
      row("ali-bcast-binomial-simple", of_bcast("binomial-simple"),
          "one: floor(log2 p)(L(m) + L(1)) + q g(m) + X; two: (floor(log2 p) - 1)(L1(m) + L1(1)) + L2(m) + L2(1) + q1 "
          "g1(m) + X",
          "q by section 4: 3 for p = 8; 5 for 16 on two chips, where the table prints 7", simple_binomial),
      row("ali-bcast-binomial-simple-printed", of_bcast("binomial-simple"),
          "two: (floor(log2 p) - 1)(L1(m) + L1(1)) + L2(m) + L2(1) + q1 g1(m) + X, q1 = 7", kTwo,
          simple_binomial_as_printed),
      row("ali-bcast-binomial-opt", of_bcast("binomial-opt"),
          "one: log2 p (L(m) + L(1)); two: (ceil(log2 p) - 1)(L1(m) + L1(1)) + L2(m) + L2(1)", kPower,
          of_message_size<form::optimised_binomial_bcast>),
      row("ali-bcast-segmented-binomial", of_bcast("segmented-binomial"),
          "one: (log2 p + 1)(L(m/2) + L(1)); two: (log2 p - 1)(L1(m/2) + L1(1)) + 2(L2(m/2) + L2(1)) + C(m/2 > 256)",
          kPower, of_message_size<form::segmented_binomial_bcast>),
      row("ali-bcast-hybrid-segmented", of_bcast("hybrid-segmented"), "log2 p (L1(m/2) + L1(1)) + L2(m) + L2(1)", kTwo,
          hybrid_segmented),
      row("ali-allgather-recursive-doubling", of_allgather("recursive-doubling"),
          "one: sum_{k=0}^{log2 p - 1} (L(2^k m) + L(1)); two: the last with L2 and C", kPower,
          of_message_size<form::recursive_doubling_allgather>),
      row("ali-allgather-hybrid", of_allgather("hybrid"),
          "sum_{k=1}^{x-1} (L1(2^{k-1} m) + L1(1)) + sum_{k=x}^{log2 p} (Lz(2^{k-1} m) + Lz(1) + C) + (x-1)(L1(p m) + "
          "L1(1))",
          "p a power of two on two chips; --set x=N for the round that switches", hybrid<form::hybrid_allgather>),
  };
}

std::vector<Formula> with_reduction() {
  namespace form = closed_form::cell;
  return {
      row("ali-reduce-binomial", of_reduce("binomial"),
          "one: floor(log2 p)(L(m) + L(1) + gamma m); two: the last with L2", kAnyChips,
          of_message_size<form::binomial_reduce>),
      row("ali-reduce-scatter-gather", of_reduce("reduce-scatter-gather"),
          "one: sum_{k=0}^{log2 p - 1} (2L(2^k m) + gamma 2^k m + 2L(1)); two: the last with L2 and C", kParts,
          of_part<form::reduce_scatter_gather_reduce>),
      row("ali-allreduce-recursive-doubling", of_allreduce("recursive-doubling"),
          "one: log2 p (L(m) + 2L(1) + gamma m); two: the last with L2 and C", kPower,
          of_message_size<form::recursive_doubling_allreduce>),
      row("ali-allreduce-reduce-scatter-allgather", of_allreduce("reduce-scatter-rd-allgather"),
          "as ali-reduce-scatter-gather, with 2C on two chips", kParts,
          of_part<form::reduce_scatter_allgather_allreduce>),
      row("ali-allreduce-reduce-scatter-gather-bcast", of_allreduce("reduce-scatter-gather-bcast"),
          "as ali-reduce-scatter-gather, and ali-bcast-binomial-opt of p m bytes (printed: of m)", kParts,
          of_part<form::reduce_scatter_gather_bcast_allreduce>),
      row("ali-allreduce-reduce-scatter-gather-bcast-printed", of_allreduce("reduce-scatter-gather-bcast"),
          "as ali-reduce-scatter-gather, and ali-bcast-binomial-opt of m bytes, as it is printed", kParts,
          of_part<form::reduce_scatter_gather_bcast_as_printed>),
      row("ali-allreduce-hybridA", of_allreduce("hybridA"),
          "2(x-1)(L1(m) + L1(1)) + (x-1) gamma m + sum_{k=x}^{log2 p} (Lz(m) + Lz(1) + gamma m + C)",
          "p a power of two on two chips; --set x=N for the round that switches", hybrid<form::hybrid_a_allreduce>),
      row("ali-allreduce-hybridB", of_allreduce("hybridB"),
          "sum_{k=0}^{log2 p - 2} (L1(2^k m) + gamma 2^k m + L1(1)) + L2 and C of 2^{log2 p - 1} m, and "
          "ali-allgather-hybrid",
          "p a power of two on two chips; m one rank's part; --set x=N for the round that switches", hybrid_b),
  };
}

}  // namespace

std::vector<Formula> ali_formulas() {
  std::vector<Formula> all = without_reduction();
  const std::vector<Formula> reductions = with_reduction();
  all.insert(all.end(), reductions.begin(), reductions.end());
  return all;
}

}  // namespace postage
