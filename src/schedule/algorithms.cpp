#include "schedule/families.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::vector<Algorithm> join_families() {
  std::vector<Algorithm> all;
  for (const auto& family : {barrier_algorithms(), bcast_algorithms(), reduce_algorithms(), allreduce_algorithms(),
                             gather_algorithms(), scatter_algorithms(), allgather_algorithms(), alltoall_algorithms(),
                             reduce_scatter_algorithms(), scan_algorithms()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

void check_numbers(const ScheduleRequest& request) {
  if (request.ranks < 1) {
    throw UsageError(fmt::format("P is {}; a collective needs at least 1 rank", request.ranks));
  }
  if (request.root < 0 || request.root >= request.ranks) {
    throw UsageError(fmt::format("root {} is not a rank of P = {}; the valid ones are 0 to {}", request.root,
                                 request.ranks, request.ranks - 1));
  }
  if (request.bytes < 0 || request.segment_bytes < 0 || request.element_bytes < 1) {
    throw UsageError("sizes must not be negative, and an element has at least 1 byte");
  }
  if (request.bytes % request.element_bytes != 0) {
    throw UsageError(
        fmt::format("{} bytes are not a whole number of elements of {} bytes", request.bytes, request.element_bytes));
  }
}

/// Blocks that block_bytes must list: 0 where the collective has no v-variant.
Index listed_blocks(Collective collective, Index ranks) {
  switch (collective) {
    case Collective::kGather:
    case Collective::kScatter:
    case Collective::kAllgather:
    case Collective::kReduceScatter:
      return ranks;
    case Collective::kAlltoall:
      return ranks * ranks;
    default:
      return 0;
  }
}

void check_block_bytes(Collective collective, const ScheduleRequest& request) {
  const auto listed = static_cast<Index>(request.block_bytes.size());
  const Index wanted = listed_blocks(collective, request.ranks);
  if (listed != 0 && listed != wanted) {
    throw UsageError(wanted == 0 ? fmt::format("{} has no blocks of different sizes", name_of(collective))
                                 : fmt::format("{} block sizes are given; {} among {} ranks has {}", listed,
                                               name_of(collective), request.ranks, wanted));
  }
  for (const Bytes bytes : request.block_bytes) {
    if (bytes < 0 || bytes % request.element_bytes != 0) {
      throw UsageError(fmt::format("a block of {} bytes is not a whole number of elements of {} bytes", bytes,
                                   request.element_bytes));
    }
  }
}

std::string title(const Algorithm& algorithm) {
  return fmt::format("{} {}", name_of(algorithm.collective), algorithm.name);
}

void check_ability(const Algorithm& algorithm, const ScheduleRequest& request) {
  if (!can_do(algorithm, request.ranks)) {
    throw UsageError(fmt::format(
        "{} needs {}, not P = {}", title(algorithm),
        algorithm.rank_rule == RankRule::kEven ? "an even number of ranks" : "a power of two of ranks", request.ranks));
  }
  if (is_reduction(algorithm.collective) && !request.commutative && !algorithm.keeps_order) {
    throw UsageError(
        fmt::format("{} does not keep the ranks' order; it needs a commutative operation", title(algorithm)));
  }
}

bool answers_to(const Algorithm& algorithm, std::string_view name) {
  const auto& others = algorithm.also_called;
  return algorithm.name == name || std::find(others.begin(), others.end(), name) != others.end();
}

std::string parameter_names(const Algorithm& algorithm) {
  std::string names;
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    names += (names.empty() ? "" : ", ") + std::string(parameter.name);
  }
  return names.empty() ? "none" : names;
}

/// The values given, checked, and the defaults of the others.
ParameterValues complete_parameters(const Algorithm& algorithm, const ParameterValues& given) {
  ParameterValues values;
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    const auto found = given.find(parameter.name);
    const Index value = found == given.end() ? parameter.default_value : found->second;
    if (value < parameter.minimum || value > parameter.maximum) {
      throw UsageError(fmt::format("{} of {} is {}; it must be {} to {}", parameter.name, title(algorithm), value,
                                   parameter.minimum, parameter.maximum));
    }
    values.emplace(parameter.name, value);
  }
  for (const auto& [name, value] : given) {
    if (values.find(name) == values.end()) {
      throw UsageError(unknown_name("parameter of " + title(algorithm), name, parameter_names(algorithm)));
    }
  }
  return values;
}

/// For one rank: all data as one block, and nothing to be done.
Schedule alone(const Algorithm& algorithm, const ScheduleRequest& request) {
  Schedule schedule;
  if (!request.block_bytes.empty()) {
    schedule.layout = BlockLayout::explicit_sizes(request.block_bytes, request.element_bytes);
  } else if (algorithm.collective != Collective::kBarrier) {
    schedule.layout = BlockLayout::split(1, request.bytes / request.element_bytes, request.element_bytes);
  }
  return schedule;
}

}  // namespace

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all = join_families();
  return all;
}

std::span<const Algorithm> algorithms_of(Collective collective) {
  const auto all = algorithms();
  const auto is_of = [&](const Algorithm& algorithm) { return algorithm.collective == collective; };
  const auto first = std::find_if(all.begin(), all.end(), is_of);
  const auto last = std::find_if_not(first, all.end(), is_of);
  return {first, last};
}

const Algorithm& find_algorithm(Collective collective, std::string_view name) {
  std::string valid;
  for (const Algorithm& algorithm : algorithms_of(collective)) {
    if (answers_to(algorithm, name)) {
      return algorithm;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  throw UsageError(unknown_name(fmt::format("{} algorithm", name_of(collective)), std::string(name),
                                valid.empty() ? "none yet" : valid));
}

bool can_do(const Algorithm& algorithm, Rank ranks) {
  switch (algorithm.rank_rule) {
    case RankRule::kPowerOfTwo:
      return ranks > 0 && (ranks & (ranks - 1)) == 0;
    case RankRule::kEven:
      return ranks == 1 || ranks % 2 == 0;
    case RankRule::kAny:
      break;
  }
  return true;
}

bool has_root(Collective collective) {
  switch (collective) {
    case Collective::kBcast:
    case Collective::kReduce:
    case Collective::kGather:
    case Collective::kScatter:
      return true;
    default:
      return false;
  }
}

bool is_reduction(Collective collective) {
  switch (collective) {
    case Collective::kReduce:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
    case Collective::kScan:
    case Collective::kExscan:
      return true;
    default:
      return false;
  }
}

void check_request(Collective collective, const ScheduleRequest& request) {
  check_numbers(request);
  check_block_bytes(collective, request);
}

Schedule build_schedule(const Algorithm& algorithm, const ScheduleRequest& request) {
  check_request(algorithm.collective, request);
  check_ability(algorithm, request);
  ScheduleRequest complete = request;
  complete.parameters = complete_parameters(algorithm, request.parameters);
  Schedule schedule = request.ranks == 1 ? alone(algorithm, complete) : algorithm.build(complete);
  if (algorithm.segmentable) {
    schedule = segmented(std::move(schedule), request.segment_bytes);
  }
  schedule.collective = algorithm.collective;
  schedule.algorithm = algorithm.name;
  schedule.ranks = request.ranks;
  schedule.root = request.root;
  return schedule;
}

}  // namespace postage
