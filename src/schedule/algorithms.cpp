#include "schedule/algorithms/families.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <list>

namespace postage {
namespace {

/// The lists so far, the newest last. Older ones are kept, because references to their rows were handed out.
using Lists = std::list<std::vector<Algorithm>>;

std::vector<Algorithm> join_families() {
  std::vector<Algorithm> all;
  for (const auto& family : {barrier_algorithms(), bcast_algorithms(), reduce_algorithms(), allreduce_algorithms(),
                             gather_algorithms(), scatter_algorithms(), allgather_algorithms(), alltoall_algorithms(),
                             reduce_scatter_algorithms(), scan_algorithms()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

Lists& lists() {
  static Lists all{join_families()};
  return all;
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

void check_registration(const Algorithm& algorithm) {
  if (algorithm.name.empty() || algorithm.build == nullptr) {
    throw UsageError("an algorithm needs a name and a function that builds its schedule");
  }
  std::vector<std::string_view> names = algorithm.also_called;
  names.push_back(algorithm.name);
  for (const Algorithm& other : algorithms_of(algorithm.collective)) {
    for (const std::string_view name : names) {
      if (answers_to(other, name)) {
        throw UsageError(fmt::format("{} {} exists already; an algorithm needs a name of its own",
                                     name_of(algorithm.collective), name));
      }
    }
  }
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
  return lists().back();
}

void register_algorithm(const Algorithm& algorithm) {
  check_registration(algorithm);
  std::vector<Algorithm> all = lists().back();
  const auto is_of = [&](const Algorithm& other) { return other.collective == algorithm.collective; };
  all.insert(std::find_if(all.rbegin(), all.rend(), is_of).base(), algorithm);
  lists().push_back(std::move(all));
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
  schedule.calls = request.calls;
  return schedule;
}

}  // namespace postage
