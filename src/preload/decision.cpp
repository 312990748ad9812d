#include "preload/decision.hpp"

#include "preload/files/decisions_file.hpp"
#include "preload/settings/agreement.hpp"
#include "preload/shim/library.hpp"

#include <postage/shm/direct_group.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace postage::preload {
namespace {

bool needs_single_copy(Entry entry) {
  return entry == Entry::kGatherv || entry == Entry::kScatterv || entry == Entry::kAlltoallv;
}

/// What ranks tell one another of their blocks must fit into a slot.
constexpr std::int32_t kMostRanks = 1024;

constexpr Bytes kLeastOneWay = 512;
/// Many ranks that read one rank's memory wait for one another in the kernel. On 8 and 16 cores a bcast through slots
/// took 0.06 to 0.3 of the time of single copies, of 8 KiB to 1 MiB; reductions less up to this size.
constexpr Bytes kMostCombinedInSlots = Bytes{128} << 10;
/// Of more than two ranks: all blocks of a scatter, and of a scan so much for each rank.
constexpr Bytes kLeastScattered = 512;
constexpr Bytes kLeastScanned = 32;
/// Longer data through a slot gain where two cores share a cache closely, and lose as much where they do not, which a
/// hypervisor may change at any time.
constexpr Bytes kMostThroughSlot = Bytes{4} << 10;
/// From here on data are copied once, by who receives them.
constexpr Bytes kLeastSingleCopy = DirectGroup::kSlotBytes + 1;

/// An allreduce of more is combined out of the other rank's memory, twice over the same bytes: on one of two
/// processors 1.4 times as fast as Open MPI's, on the other 0.85 times. MPICH's is slower there, but for the size at
/// which it begins.
constexpr Bytes kMostAllreduce = Bytes{128} << 10;
constexpr Bytes kLeastLargeAllreduce = Bytes{512} << 10;

/// Sizes at which two ranks' data go through a slot of shared memory: Open MPI sends short messages one way through a
/// mailbox for each pair, which nothing beats where no rank has to wait.
Decisions::Bounds through_slot(bool is_left_below) {
  return {is_left_below ? kLeastOneWay : 0, kMostThroughSlot + 1};
}

Decisions::Bounds with_single_copy(Decisions::Bounds bounds) {
  bounds.push_back(kLeastSingleCopy);
  return bounds;
}

/// Measured at two ranks on two cores (scripts/preload_speedups): the sizes at which ours is faster. One single copy
/// more or less is what the libraries' own bcast and gather are, too, and Open MPI's reductions to one rank.
Decisions::Bounds bounds_of_two(Entry entry, bool is_open_mpi) {
  switch (entry) {
    case Entry::kBcast:
      return through_slot(false);
    case Entry::kGather:
    case Entry::kGatherv:
      return through_slot(is_open_mpi);
    case Entry::kScatter:
    case Entry::kScatterv:
      return with_single_copy(through_slot(is_open_mpi));
    case Entry::kAllgather:
    case Entry::kAlltoall:
      return with_single_copy(through_slot(false));
    case Entry::kAllreduce:
      return is_open_mpi ? Decisions::Bounds{0, kMostAllreduce + 1}
                         : Decisions::Bounds{0, kMostAllreduce + 1, kLeastLargeAllreduce};
    case Entry::kReduce:
    case Entry::kExscan:
      return is_open_mpi ? through_slot(true) : Decisions::Bounds{0};
    case Entry::kScan:
      return {is_open_mpi ? kLeastOneWay : 0};
    default:
      return {0};
  }
}

/// Of more ranks: measured at 3, 4, 8 and 16 ranks on 16 cores. Open MPI's mailboxes are as fast where each rank sends
/// or receives one short message. Nobody knows how long the blocks of gatherv and scatterv are: those gain at nearly
/// all sizes.
Decisions::Bounds measured_bounds(Entry entry, std::int32_t ranks) {
  static const bool is_open_mpi = std::string_view(library_name()) == "openmpi";
  if (ranks == 2) {
    return bounds_of_two(entry, is_open_mpi);
  }
  if (!is_open_mpi) {
    return {0};
  }
  switch (entry) {
    case Entry::kScatter:
      return {kLeastScattered / ranks + 1};
    case Entry::kScan:
    case Entry::kExscan:
      return {kLeastScanned * ranks + 1};
    default:
      return {0};
  }
}

/// In which no rank returns before all have entered.
bool waits_for_all(Entry entry) {
  switch (entry) {
    case Entry::kBarrier:
    case Entry::kAllreduce:
    case Entry::kAllgather:
    case Entry::kAllgatherv:
    case Entry::kAlltoall:
    case Entry::kReduce_scatter:
    case Entry::kReduce_scatter_block:
      return true;
    default:
      return false;
  }
}

bool replaces_always() {
  return settings().replacing == Replacing::kAlways;
}

// ---- what a file says

std::optional<Collective> collective_of(Entry entry) {
  switch (entry) {
    case Entry::kBarrier:
      return Collective::kBarrier;
    case Entry::kBcast:
      return Collective::kBcast;
    case Entry::kReduce:
      return Collective::kReduce;
    case Entry::kAllreduce:
      return Collective::kAllreduce;
    case Entry::kGather:
      return Collective::kGather;
    case Entry::kScatter:
      return Collective::kScatter;
    case Entry::kAllgather:
      return Collective::kAllgather;
    case Entry::kAlltoall:
      return Collective::kAlltoall;
    case Entry::kReduce_scatter:
    case Entry::kReduce_scatter_block:
      return Collective::kReduceScatter;
    case Entry::kScan:
      return Collective::kScan;
    case Entry::kExscan:
      return Collective::kExscan;
    default:
      return std::nullopt;
  }
}

/// Whose rules hold for it: of v-variants only allgatherv's sizes are known to all ranks, by its longest block.
std::optional<Collective> collective_across_nodes(Entry entry) {
  return entry == Entry::kAllgatherv ? Collective::kAllgather : collective_of(entry);
}

bool is_schedule(const DecisionChoice& choice) {
  return !choice.algorithm.empty() && choice.algorithm != kDirectAlgorithm;
}

bool says_anything_of_one_node(const DecisionTable& table) {
  return std::any_of(table.rules().begin(), table.rules().end(),
                     [](const DecisionRule& rule) { return rule.choice.algorithm == kDirectAlgorithm; });
}

/// By the mean block of reduce_scatter, whose rules are by the whole vector.
Decisions::Bounds said_bounds(const DecisionTable& table, Collective collective, const CommunicatorShape& shape) {
  const Bytes parts = collective == Collective::kReduceScatter ? shape.ranks : 1;
  Decisions::Bounds bounds;
  for (const DecisionRule& rule : table.rules_of(collective)) {
    if (!rule.communicators.nodes.contains(shape.nodes) || !rule.communicators.ranks.contains(shape.ranks) ||
        is_schedule(rule.choice) != (shape.nodes > 1) || rule.choice.algorithm.empty()) {
      continue;
    }
    const Bytes first = (rule.bytes.first + parts - 1) / parts;
    if (!bounds.empty() && bounds.back() == first) {
      bounds.pop_back();
    } else {
      bounds.push_back(first);
    }
    if (rule.bytes.last < PassedSizes::kEnd) {
      bounds.push_back((rule.bytes.last + parts) / parts);
    }
  }
  return bounds;
}

bool is_said_of_one_node() {
  const DecisionTable* const table = decision_table();
  return table != nullptr && says_anything_of_one_node(*table);
}

}  // namespace

void Decisions::set(Entry entry, Bounds bounds) {
  look_at(entry, bounds);
  bounds_[static_cast<std::size_t>(entry)] = std::move(bounds);
}

void Decisions::look_at(Entry entry, const Bounds& bounds, std::uint32_t passed) {
  const auto bound = [&](std::size_t number) { return number < bounds.size() ? bounds[number] : PassedSizes::kEnd; };
  passed_[static_cast<std::size_t>(entry)] = {.below = bound(0), .from = bound(1), .to = bound(2), .classes = passed};
}

/// Without single copy, data go through slots in pieces, whose number all ranks must know.
bool is_possible(Entry entry, const CommunicatorShape& shape) {
  return shape.ranks <= kMostRanks && (shape.single_copy || shape.ranks == 2 || !needs_single_copy(entry));
}

bool are_probed(const CommunicatorShape& shape) {
  return settings().probes && shape.nodes == 1 && !replaces_always() && !is_said_of_one_node();
}

Decisions decisions_for(const CommunicatorShape& shape) {
  const DecisionTable* const table = decision_table();
  const bool is_said = shape.nodes > 1 || is_said_of_one_node();
  Decisions decisions;
  if (shape.more_ranks_than_cores && !replaces_always()) {
    return decisions;
  }
  for (int number = 0; number < kCollectiveEntries; ++number) {
    const auto entry = static_cast<Entry>(number);
    const std::optional<Collective> collective =
        shape.nodes > 1 ? collective_across_nodes(entry) : collective_of(entry);
    if (!is_possible(entry, shape) || (shape.nodes > 1 && !collective)) {
      continue;
    }
    if (replaces_always()) {
      decisions.set(entry, {0});
    } else if (is_said && collective) {
      decisions.set(entry, table != nullptr ? said_bounds(*table, *collective, shape) : Decisions::Bounds{});
    } else {
      decisions.set(entry, measured_bounds(entry, shape.ranks));
    }
  }
  return decisions;
}

Bytes least_probed(Entry entry, std::int32_t ranks) {
  if (ranks == 2) {
    return waits_for_all(entry) ? 0 : kLeastSingleCopied;
  }
  const Decisions::Bounds bounds = measured_bounds(entry, ranks);
  return bounds.empty() ? 0 : bounds.front();
}

Bytes built_in_copied_bytes(Entry entry, std::int32_t ranks) {
  if (ranks > 2 && entry == Entry::kBcast) {
    return std::numeric_limits<Bytes>::max();
  }
  const bool is_combined =
      entry == Entry::kReduce || entry == Entry::kAllreduce || entry == Entry::kScan || entry == Entry::kExscan;
  return ranks > 2 && is_combined ? kMostCombinedInSlots : DirectGroup::kSlotBytes;
}

bool replaces_anything(const CommunicatorShape& shape) {
  const Decisions decisions = decisions_for(shape);
  for (int number = 0; number < kCollectiveEntries; ++number) {
    if (!decisions.passed(static_cast<Entry>(number)).are_all()) {
      return true;
    }
  }
  return false;
}

}  // namespace postage::preload
