#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include "schedule/families.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::vector<Algorithm> join_families() {
  std::vector<Algorithm> all;
  for (const auto& family : {barrier_algorithms(), bcast_algorithms()}) {
    all.insert(all.end(), family.begin(), family.end());
  }
  return all;
}

void check(const ScheduleRequest& request) {
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
    throw UsageError(fmt::format("{} bytes are not a whole number of elements of {} bytes", request.bytes,
                                 request.element_bytes));
  }
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
    if (algorithm.name == name) {
      return algorithm;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  throw UsageError(unknown_name(fmt::format("{} algorithm", name_of(collective)), std::string(name),
                                valid.empty() ? "none yet" : valid));
}

Schedule build_schedule(const Algorithm& algorithm, const ScheduleRequest& request) {
  check(request);
  Schedule schedule = algorithm.build(request);
  schedule.collective = algorithm.collective;
  schedule.algorithm = algorithm.name;
  schedule.ranks = request.ranks;
  schedule.root = request.root;
  return schedule;
}

}  // namespace postage
