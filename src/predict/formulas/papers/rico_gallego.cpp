#include "predict/formulas/job_links.hpp"
#include "predict/formulas/papers.hpp"

#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/formulas/rico_gallego.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// m = k S.
struct Segments {
  Bytes size = 0;
  std::int64_t count = 0;
};

Segments segments_of(const FormulaJob& job, Bytes whole, Bytes of_model = 0) {
  if (job.segment > 0 && of_model > 0 && job.segment != of_model) {
    throw UsageError(fmt::format("it is given two sizes of a segment: --segment {} and S={}", format_bytes(job.segment),
                                 format_bytes(of_model)));
  }
  const Bytes size = std::max(job.segment, of_model);
  if (size == 0) {
    throw UsageError("it is of messages in segments: give their size S with --segment");
  }
  if (whole < size || whole % size != 0) {
    throw UsageError(fmt::format("it is for m = k S: {} are no whole number of segments of {}", format_bytes(whole),
                                 format_bytes(size)));
  }
  return {size, whole / size};
}

const TauLopLink& shared_memory(const FormulaJob& job, ChannelId channel, Bytes bytes) {
  const TauLopLink& link = link_on<TauLop>(job, channel, bytes);
  if (!link.has_shared_buffer()) {
    throw UsageError("it is for messages through shared memory: n = 2 transfers on one channel");
  }
  return link;
}

const TauLopLink& memory_of_all(const FormulaJob& job, Bytes bytes) {
  return shared_memory(job, only_channel(job), bytes);
}

const TauLopLink& memory_of_message(const FormulaJob& job) {
  return shared_memory(job, channel_between(job, job.source, job.target), job.bytes);
}

const LogGPLink& loggp_of_message(const FormulaJob& job) {
  return link_on<LogGP>(job, channel_between(job, job.source, job.target), job.bytes);
}

/// The whole of a scatter or allgather, whose MPI size is one rank's block.
Bytes all_blocks(const FormulaJob& job) {
  return job.ranks * job.bytes;
}

Interval loggp_message_alone(const FormulaJob& job) {
  return exactly(closed_form::message(loggp_of_message(job), job.bytes));
}

Interval loggp_segments(const FormulaJob& job) {
  const Segments s = segments_of(job, job.bytes);
  return exactly(closed_form::segmented_message(loggp_of_message(job), s.size, s.count));
}

Interval loggp_segments_approximately(const FormulaJob& job) {
  const Segments s = segments_of(job, job.bytes);
  return exactly(closed_form::segmented_message_approximately(loggp_of_message(job), s.size, s.count));
}

Interval tau_lop_message(const FormulaJob& job) {
  return exactly(closed_form::binomial_bcast(memory_of_message(job), 2, job.bytes));
}

template <Seconds (*function)(const TauLopLink&, Bytes, std::int64_t)>
Interval of_segmented_message(const FormulaJob& job) {
  const TauLopLink& memory = memory_of_message(job);
  const Segments s = segments_of(job, job.bytes, memory.segment);
  return exactly(function(memory, s.size, s.count));
}

Interval exchange_stage(const FormulaJob& job) {
  const TauLopLink& memory = memory_of_all(job, job.bytes);
  const Segments s = segments_of(job, job.bytes, memory.segment);
  return exactly(closed_form::exchange_stage(memory, job.ranks, s.size, s.count));
}

/// All ranks exchange in pairs: the first stage of recursive doubling, in which each sends its own block.
Schedule pairwise_exchange(const FormulaJob& job) {
  if (job.ranks < 2 || job.ranks % 2 != 0) {
    throw UsageError(fmt::format("it is compared with exchanges between pairs of ranks, not P = {}", job.ranks));
  }
  Schedule schedule = build_schedule(find_algorithm(Collective::kAllgather, "neighbor-exchange"),
                                     {.ranks = job.ranks, .bytes = job.bytes});
  schedule.stages.resize(1);
  schedule.stages.front().rounds.resize(1);
  schedule.stages.front().iterations = 1;
  schedule.algorithm = "pairwise exchange";
  return schedule;
}

Interval loggp_binomial(const FormulaJob& job) {
  return exactly(closed_form::binomial_bcast(link_on<LogGP>(job, only_channel(job), job.bytes), job.ranks, job.bytes));
}

Interval tau_lop_binomial(const FormulaJob& job) {
  return exactly(closed_form::binomial_bcast(memory_of_all(job, job.bytes), job.ranks, job.bytes));
}

Interval table_one(const FormulaJob& job) {
  const Segments s = segments_of(job, all_blocks(job));
  return exactly(
      closed_form::binomial_scatter(link_on<LogGP>(job, only_channel(job), s.size), job.ranks, s.size, s.count));
}

template <Seconds (*function)(const TauLopLink&, std::int64_t, Bytes, std::int64_t)>
Interval of_segmented_collective(const FormulaJob& job) {
  const TauLopLink& memory = memory_of_all(job, job.bytes);
  const Segments s = segments_of(job, all_blocks(job), memory.segment);
  return exactly(function(memory, job.ranks, s.size, s.count));
}

Interval equation_five(const FormulaJob& job) {
  const FullNodes nodes = full_nodes(job, Mapping::Kind::kBlock);
  return exactly(closed_form::sequential_ring_allgather(link_on<LogGP>(job, nodes.within, job.bytes),
                                                        link_on<LogGP>(job, nodes.between, job.bytes), job.ranks,
                                                        job.bytes));
}

Interval equation_six(const FormulaJob& job) {
  const FullNodes nodes = full_nodes(job, Mapping::Kind::kCyclic);
  return exactly(
      closed_form::round_robin_ring_allgather(link_on<LogGP>(job, nodes.between, job.bytes), job.ranks, job.bytes));
}

using RingOfTransfers = Seconds (*)(const TauLopLink&, const TauLopLink&, std::int64_t, std::int64_t, Bytes);

template <RingOfTransfers function, Mapping::Kind kind>
Interval ring_of_transfers(const FormulaJob& job) {
  const FullNodes nodes = full_nodes(job, kind);
  return exactly(function(link_on<TauLop>(job, nodes.within, job.bytes), link_on<TauLop>(job, nodes.between, job.bytes),
                          job.ranks, nodes.per_node, job.bytes));
}

constexpr std::string_view kMessage = "a message within shared memory (n = 2)";
constexpr std::string_view kSegmented = "a message of m = k S bytes within shared memory (n = 2)";
constexpr std::string_view kBlocks = "P a power of two, all joined by one channel (tau-Lop: n = 2); m = k S = P blocks";
constexpr std::string_view kSequential = "P = M Q ranks, --mapping block, M > 1, Q > 1; o(m) left out by tau-Lop";
constexpr std::string_view kRoundRobin = "P = M Q ranks, --mapping cyclic, M > 1, Q > 1; o(m) left out by tau-Lop";

Formula row(std::string_view name, std::string_view collective, std::string_view algorithm, std::string_view place,
            std::string_view equation, std::string_view conditions, Interval (*function)(const FormulaJob&)) {
  return {.name = name,
          .collective = collective,
          .algorithm = algorithm,
          .models = {"taulop"},
          .source = place,
          .equation = equation,
          .conditions = conditions,
          .evaluate = function};
}

Formula with_segments(Formula formula) {
  formula.in_segments = true;
  return formula;
}

Formula with_loggp(Formula formula) {
  formula.models = {"loggp", "loggph"};
  return formula;
}

std::vector<Formula> of_messages() {
  std::vector<Formula> all{
      with_loggp(row("rico-gallego-loggp", "p2p", "", "Rico-Gallego et al. 2015, section 2", "o_S + L + (m-1)G + o_R",
                     "any message", loggp_message_alone)),
      with_loggp(with_segments(row("rico-gallego-loggp-segments", "p2p", "", "Rico-Gallego et al. 2015, section 4",
                                   "L + 2o + (S-1)G + (k-1)(g + (S-1)G)", "m = k S", loggp_segments))),
      with_loggp(
          with_segments(row("rico-gallego-loggp-segments-approx", "p2p", "", "Rico-Gallego et al. 2015, section 4",
                            "L + 2o + S G + (k-1)(g + S G)", "m = k S", loggp_segments_approximately))),
      row("rico-gallego-p2p", "p2p", "", "Rico-Gallego et al. 2015, section 3", "o(m) + 2 L(m,1)", kMessage,
          tau_lop_message),
      with_segments(row("rico-gallego-segments", "p2p", "", "Rico-Gallego et al. 2015, section 4",
                        "2 L(S,1) + (k-1) L(S,2)", kSegmented, of_segmented_message<closed_form::segmented_message>)),
      with_segments(row("rico-gallego-segments-approx", "p2p", "", "Rico-Gallego et al. 2015, section 4",
                        "o(m) + k L(S,2)", kSegmented,
                        of_segmented_message<closed_form::segmented_message_approximately>)),
      with_segments(row("rico-gallego-exchange", "p2p", "", "Rico-Gallego et al. 2015, section 4", "o(m) + 2k L(S,1)",
                        "two ranks that send m = k S bytes to each other through shared memory (n = 2)",
                        of_segmented_message<closed_form::segmented_exchange>)),
      with_segments(row("rico-gallego-eq2", "p2p", "", "Rico-Gallego et al. 2015, eq. 2",
                        "P || (o(m) + 2k L(S,1)) = o(m) + 2k L(S,P)",
                        "P ranks that exchange m = k S bytes in pairs, all joined by one channel (n = 2)",
                        exchange_stage))};
  for (Formula& formula : all) {
    if (formula.name == "rico-gallego-exchange" || formula.name == "rico-gallego-eq2") {
      formula.schedule = pairwise_exchange;
    }
  }
  return all;
}

std::vector<Formula> of_one_channel() {
  constexpr auto eq1 = of_segmented_collective<closed_form::binomial_scatter>;
  constexpr auto eq3 = of_segmented_collective<closed_form::recursive_doubling_allgather>;
  constexpr auto bound = of_segmented_collective<closed_form::binomial_scatter_bound>;
  return {
      with_loggp(row("rico-gallego-loggp-binomial", "bcast", "binomial", "Rico-Gallego et al. 2015, section 3",
                     "ceil(log2 P)(L + 2o + (m-1)G)", "any P, all joined by one channel", loggp_binomial)),
      row("rico-gallego-binomial", "bcast", "binomial-doubling", "Rico-Gallego et al. 2015, section 3",
          "sum_{i=0}^{ceil(log2 P)-1} (o(m) + 2 L(m,2^i))", "any P, all joined by one channel; n = 2",
          tau_lop_binomial),
      with_loggp(with_segments(row("rico-gallego-table1", "scatter", "binomial", "Rico-Gallego et al. 2015, table 1",
                                   "log2 P (L + 2o + S G) + ((P-1)/P)(k-1)(g + S G)", kBlocks, table_one))),
      with_segments(row("rico-gallego-eq1", "scatter", "binomial", "Rico-Gallego et al. 2015, eq. 1 and 4",
                        "sum_{i=0}^{log2 P-1} (k/2^{i+1}) L(S,2^{i+1})", kBlocks, eq1)),
      with_segments(row("rico-gallego-eq4-bound", "scatter", "binomial", "Rico-Gallego et al. 2015, after eq. 4",
                        "k ((P-1)/P) L(S,P)", kBlocks, bound)),
      with_loggp(with_segments(row("rico-gallego-table2", "allgather", "recursive-doubling",
                                   "Rico-Gallego et al. 2015, table 2",
                                   "log2 P (L + 2o + S G) + ((P-1)/P)(k-1)(g + S G)", kBlocks, table_one))),
      with_segments(row("rico-gallego-eq3", "allgather", "recursive-doubling", "Rico-Gallego et al. 2015, eq. 3 and 4",
                        "sum_{i=0}^{log2 P-1} (2^{i+1} k/P) L(S,P) = 2k ((P-1)/P) L(S,P)", kBlocks, eq3))};
}

std::vector<Formula> of_rings() {
  constexpr Mapping::Kind block = Mapping::Kind::kBlock;
  constexpr Mapping::Kind cyclic = Mapping::Kind::kCyclic;
  const auto ring = [](std::string_view name, std::string_view place, std::string_view equation,
                       std::string_view conditions, Interval (*function)(const FormulaJob&)) {
    return row(name, "allgather", "ring", place, equation, conditions, function);
  };
  return {with_loggp(ring("rico-gallego-eq5", "Rico-Gallego et al. 2015, eq. 5",
                          "(P-1)[(L + 2o + (m-1)G) + (L' + 2o' + (m-1)G')]", kSequential, equation_five)),
          with_loggp(ring("rico-gallego-eq6", "Rico-Gallego et al. 2015, eq. 6", "(P-1) 2 (L' + 2o' + (m-1)G')",
                          kRoundRobin, equation_six)),
          ring("rico-gallego-sequential", "Rico-Gallego et al. 2015, before eq. 7", "(P-1)[Q || T0(m) + 1 || T1(m)]",
               kSequential, ring_of_transfers<closed_form::sequential_ring_of_messages, block>),
          ring("rico-gallego-eq7-max", "Rico-Gallego et al. 2015, before eq. 7",
               "(P-1)[L0(m,Q) + max{L0(m,Q-1), L1(m,1)} + L0(m,1)]", kSequential,
               ring_of_transfers<closed_form::sequential_ring_allgather, block>),
          ring("rico-gallego-eq7", "Rico-Gallego et al. 2015, eq. 7", "(P-1)[L0(m,Q) + L1(m,1) + L0(m,1)]", kSequential,
               ring_of_transfers<closed_form::sequential_ring_as_printed, block>),
          ring("rico-gallego-round-robin", "Rico-Gallego et al. 2015, before eq. 8", "(P-1)[Q || (T1(m) + T1(m))]",
               kRoundRobin, ring_of_transfers<closed_form::round_robin_ring_of_messages, cyclic>),
          ring("rico-gallego-eq8", "Rico-Gallego et al. 2015, eq. 8", "(P-1)[L0(m,Q) + L1(m,Q) + L0(m,Q)]", kRoundRobin,
               ring_of_transfers<closed_form::round_robin_ring_allgather, cyclic>)};
}

}  // namespace

std::vector<Formula> rico_gallego_formulas() {
  std::vector<Formula> all = of_messages();
  for (const auto& more : {of_one_channel(), of_rings()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace postage
