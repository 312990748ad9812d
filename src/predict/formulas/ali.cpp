#include "predict/formulas/numbers.hpp"

#include <postage/predict/formulas/ali.hpp>

#include <algorithm>

namespace postage::closed_form::cell {
namespace {

/// Elements of one chip, and rounds of a tree or butterfly within it.
constexpr std::int64_t kOnChip = 8;
constexpr std::int64_t kRoundsOnChip = 3;

/// The bytes of a message without data, whose latency and gap the paper writes L(1) and g(1).
constexpr Bytes kSignal = 0;

Seconds latency(const CellPLogPLink& link, Bytes bytes) {
  return link.latency_of(bytes);
}

Seconds gap(const CellPLogPLink& link, Bytes bytes) {
  return link.gap_of(bytes);
}

/// L(m) + L(1): a message and its acknowledgement.
Seconds acknowledged(const CellPLogPLink& link, Bytes bytes) {
  return latency(link, bytes) + latency(link, kSignal);
}

Seconds combining(const Blade& blade, Bytes bytes) {
  return blade.combine_per_byte * number(bytes);
}

Bytes doubled(Bytes bytes, std::int64_t times) {
  return bytes << times;
}

/// Rounds of a power of two of ranks, the last of them across the chips where there are two.
struct Rounds {
  std::int64_t on_chip = 0;
  bool crosses = false;
};

Rounds rounds_of(Chips chips, std::int64_t all) {
  return chips == Chips::kOne || all == 0 ? Rounds{all, false} : Rounds{all - 1, true};
}

/// The sum over all rounds k = 0, 1, ... of of_round(link, 2^k m), where the last one crosses two chips' link.
template <typename OfRound>
Seconds doubling_rounds(const Blade& blade, Chips chips, std::int64_t all, Bytes bytes, const OfRound& of_round) {
  const Rounds rounds = rounds_of(chips, all);
  Seconds sum = 0;
  for (std::int64_t k = 0; k < rounds.on_chip; ++k) {
    sum += of_round(blade.chip, doubled(bytes, k));
  }
  return rounds.crosses ? sum + of_round(blade.across, doubled(bytes, rounds.on_chip)) : sum;
}

/// C of the last of a doubling's rounds, in which every rank's message crosses.
Seconds last_congestion(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  return chips == Chips::kOne ? 0 : congestion(blade, doubled(bytes, floor_log2(ranks) - 1), ranks);
}

/// Equal rounds: all but one on the chip where there are two.
Seconds equal_rounds(Chips chips, std::int64_t all, Seconds on_chip, Seconds across) {
  const Rounds rounds = rounds_of(chips, all);
  return number(rounds.on_chip) * on_chip + (rounds.crosses ? across : 0);
}

/// Gaps of the root's own messages: q on one chip, q_1 and q_2 on two.
struct RootGaps {
  std::int64_t on_chip = 0;
  std::int64_t across = 0;
};

RootGaps root_gaps(Chips chips, std::int64_t ranks) {
  if (chips == Chips::kOne) {
    return {std::max<std::int64_t>(ranks - 2, 0), 0};
  }
  if (ranks <= kOnChip) {
    throw UsageError(
        fmt::format("the formula of one-to-all on two chips is for more than {} ranks, not P = {}", kOnChip, ranks));
  }
  return {kOnChip - 2, ranks - kOnChip - 1};
}

Interval with_ack_gaps(const Blade& blade, const RootGaps& gaps, Seconds seconds) {
  return {seconds,
          seconds + number(gaps.on_chip) * blade.chip.gap_of_ack + number(gaps.across) * blade.across.gap_of_ack};
}

void check_switching_round(std::int64_t ranks, std::int64_t round) {
  const std::int64_t last = exact_log2(ranks, "a hybrid") + 1;
  if (round < 1 || round > last) {
    throw UsageError(fmt::format("a hybrid of P = {} switches in round 1 to {}, not {}", ranks, last, round));
  }
}

/// L_z(m) + L_z(1) + C: round k of a hybrid's recursive doubling among `crossing` ranks.
Seconds hybrid_round(const Blade& blade, std::int64_t round, Bytes bytes, std::int64_t crossing) {
  const bool crosses = round > kRoundsOnChip;
  return acknowledged(crosses ? blade.across : blade.chip, bytes) + (crosses ? congestion(blade, bytes, crossing) : 0);
}

/// 3 L_1(1) + L_2(1): a barrier or a broadcast of acknowledgements on a full blade.
Seconds on_blade(const Blade& blade) {
  return recursive_doubling_barrier(blade, Chips::kTwo, 2 * kOnChip);
}

}  // namespace

Seconds congestion(const Blade& blade, Bytes bytes, std::int64_t crossing) {
  return blade.across.congestion(bytes, number(crossing));
}

Seconds recursive_doubling_barrier(const Blade& blade, Chips chips, std::int64_t ranks) {
  const std::int64_t rounds = is_power_of_two(ranks) ? floor_log2(ranks) : floor_log2(ranks) + 2;
  return equal_rounds(chips, rounds, latency(blade.chip, kSignal), latency(blade.across, kSignal));
}

Seconds bruck_barrier(const Blade& blade, Chips chips, std::int64_t ranks) {
  const Seconds across = chips == Chips::kTwo ? latency(blade.across, kSignal) : 0;
  return number(ceil_log2(ranks)) * std::max(latency(blade.chip, kSignal), across);
}

Seconds gather_broadcast_barrier(const Blade& blade, Chips chips, std::int64_t ranks) {
  return 2 * equal_rounds(chips, ceil_log2(ranks), latency(blade.chip, kSignal), latency(blade.across, kSignal));
}

Interval one_to_all_barrier(const Blade& blade, Chips chips, std::int64_t ranks) {
  return one_to_all_bcast(blade, chips, ranks, kSignal);
}

Interval one_to_all_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  if (ranks == 1) {
    return {};
  }
  const RootGaps gaps = root_gaps(chips, ranks);
  Seconds seconds = acknowledged(blade.chip, bytes) + number(gaps.on_chip) * gap(blade.chip, bytes);
  if (chips == Chips::kTwo) {
    seconds += acknowledged(blade.across, bytes) + number(gaps.across) * gap(blade.across, bytes);
  }
  return with_ack_gaps(blade, gaps, seconds);
}

Interval simple_binomial_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes, std::int64_t gaps) {
  const Seconds rounds =
      equal_rounds(chips, floor_log2(ranks), acknowledged(blade.chip, bytes), acknowledged(blade.across, bytes));
  return with_ack_gaps(blade, {gaps, 0}, rounds + number(gaps) * gap(blade.chip, bytes));
}

std::int64_t binomial_gaps(Chips chips, std::int64_t ranks) {
  const std::int64_t height = ceil_log2(ranks);
  const std::int64_t crossing = chips == Chips::kTwo ? 1 : 0;
  return height * (height - 1) / 2 - crossing;
}

Seconds optimised_binomial_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  const std::int64_t rounds =
      chips == Chips::kOne ? exact_log2(ranks, "the optimised binomial broadcast") : ceil_log2(ranks);
  return equal_rounds(chips, rounds, acknowledged(blade.chip, bytes), acknowledged(blade.across, bytes));
}

Seconds segmented_binomial_bcast(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  const std::int64_t rounds = exact_log2(ranks, "the segmented binomial broadcast");
  const Bytes half = bytes / 2;
  if (ranks == 1) {
    return 0;
  }
  if (chips == Chips::kOne) {
    return number(rounds + 1) * acknowledged(blade.chip, half);
  }
  return number(rounds - 1) * acknowledged(blade.chip, half) + 2 * acknowledged(blade.across, half) +
         congestion(blade, half, ranks - 2);
}

Seconds hybrid_segmented_bcast(const Blade& blade, std::int64_t ranks, Bytes bytes) {
  return number(exact_log2(ranks, "the hybrid segmented broadcast")) * acknowledged(blade.chip, bytes / 2) +
         acknowledged(blade.across, bytes);
}

Seconds recursive_doubling_allgather(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  return doubling_rounds(blade, chips, exact_log2(ranks, "the all-gather by recursive doubling"), bytes, acknowledged) +
         last_congestion(blade, chips, ranks, bytes);
}

Seconds hybrid_allgather(const Blade& blade, std::int64_t ranks, Bytes bytes, std::int64_t switching_round) {
  check_switching_round(ranks, switching_round);
  Seconds sum = number(switching_round - 1) * acknowledged(blade.chip, ranks * bytes);
  for (std::int64_t k = 1; k < switching_round; ++k) {
    sum += acknowledged(blade.chip, doubled(bytes, k - 1));
  }
  const std::int64_t crossing = ranks >> (switching_round - 1);
  for (std::int64_t k = switching_round; k <= floor_log2(ranks); ++k) {
    sum += hybrid_round(blade, k, doubled(bytes, k - 1), crossing);
  }
  return sum;
}

Seconds binomial_reduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  const Seconds combine = combining(blade, bytes);
  return equal_rounds(chips, chips == Chips::kOne ? floor_log2(ranks) : ceil_log2(ranks),
                      acknowledged(blade.chip, bytes) + combine, acknowledged(blade.across, bytes) + combine);
}

Seconds reduce_scatter_gather_reduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  const auto of_round = [&](const CellPLogPLink& link, Bytes size) {
    return 2 * acknowledged(link, size) + combining(blade, size);
  };
  return doubling_rounds(blade, chips, exact_log2(ranks, "reduce-scatter and gather"), bytes, of_round) +
         last_congestion(blade, chips, ranks, bytes);
}

Seconds recursive_doubling_allreduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  const auto round = [&](const CellPLogPLink& link) {
    return acknowledged(link, bytes) + latency(link, kSignal) + combining(blade, bytes);
  };
  return equal_rounds(chips, exact_log2(ranks, "the all-reduce by recursive doubling"), round(blade.chip),
                      round(blade.across)) +
         (chips == Chips::kTwo ? congestion(blade, bytes, ranks) : 0);
}

Seconds reduce_scatter_allgather_allreduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  return reduce_scatter_gather_reduce(blade, chips, ranks, bytes) + last_congestion(blade, chips, ranks, bytes);
}

Seconds reduce_scatter_gather_bcast_allreduce(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  return reduce_scatter_gather_reduce(blade, chips, ranks, bytes) +
         optimised_binomial_bcast(blade, chips, ranks, ranks * bytes);
}

Seconds reduce_scatter_gather_bcast_as_printed(const Blade& blade, Chips chips, std::int64_t ranks, Bytes bytes) {
  return reduce_scatter_gather_reduce(blade, chips, ranks, bytes) +
         optimised_binomial_bcast(blade, chips, ranks, bytes);
}

Seconds hybrid_a_allreduce(const Blade& blade, std::int64_t ranks, Bytes bytes, std::int64_t switching_round) {
  check_switching_round(ranks, switching_round);
  const Seconds combine = combining(blade, bytes);
  Seconds sum = number(switching_round - 1) * (2 * acknowledged(blade.chip, bytes) + combine);
  const std::int64_t crossing = ranks >> (switching_round - 1);
  for (std::int64_t k = switching_round; k <= floor_log2(ranks); ++k) {
    sum += hybrid_round(blade, k, bytes, crossing) + combine;
  }
  return sum;
}

Seconds hybrid_b_allreduce(const Blade& blade, std::int64_t ranks, Bytes bytes, std::int64_t switching_round) {
  const auto of_round = [&](const CellPLogPLink& link, Bytes size) {
    return acknowledged(link, size) + combining(blade, size);
  };
  return doubling_rounds(blade, Chips::kTwo, exact_log2(ranks, "hybrid B"), bytes, of_round) +
         last_congestion(blade, Chips::kTwo, ranks, bytes) + hybrid_allgather(blade, ranks, bytes, switching_round);
}

Interval cluster_barrier(const Blade& blade, const CellPLogPLink& host, const CellPLogPLink& network,
                         std::int64_t nodes) {
  const Seconds gathering = std::max(on_blade(blade), latency(host, kSignal) + gap(host, kSignal));
  const Seconds between = number(ceil_log2(nodes)) * (latency(network, kSignal) + gap(network, kSignal));
  const Seconds back = latency(host, kSignal) + on_blade(blade);
  return {std::max(gathering, between) + back, gathering + between + back};
}

Seconds roadrunner_barrier(const Blade& blade, const CellPLogPLink& host, const CellPLogPLink& bus,
                           const CellPLogPLink& network, std::int64_t nodes) {
  const Seconds gathering =
      std::max(on_blade(blade), latency(host, kSignal) + number(2 * kOnChip - 1) * gap(host, kSignal));
  const Seconds between = number(exact_log2(nodes, "the barrier between nodes")) * latency(network, kSignal);
  return gathering + 2 * latency(bus, kSignal) + between + gap(bus, kSignal) + latency(host, kSignal) + on_blade(blade);
}

}  // namespace postage::closed_form::cell
