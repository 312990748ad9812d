#include "validate/suite/points.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace postage {
namespace {

// Enough for medians of what depends on chance within a few per cent; a quick suite has wider bounds.
constexpr int kRepetitions = 45;
constexpr int kQuickRepetitions = 5;

/// From 8 B to 4 MiB; none but 8 and 4M is a power of two, as sizes that parameters are fitted to are.
constexpr std::array<Bytes, 8> kSizes{8, 200, 3000, 12'000, 50'000, 200'000, 1'000'000, Bytes{4} << 20};

/// Segments where a message is cut, if it is larger.
constexpr Bytes kSegment = 12'000;
constexpr Bytes kLargeSegment = 100'000;

/// Messages of a round, squared, and summed over the rounds: what it takes to share links between those under way.
double message_pairs_of(const Schedule& schedule) {
  double pairs = 0;
  for (const Stage& stage : schedule.stages) {
    for (const Round& round : stage.rounds) {
      double messages = 0;
      for (const Pattern& pattern : round.patterns) {
        messages += static_cast<double>(pair_count(pattern.pairs));
      }
      pairs += messages * messages * static_cast<double>(stage.iterations * stage.segments);
    }
  }
  return pairs;
}

class PointList {
 public:
  explicit PointList(const PointLimits& limits) : limits_(limits) {}

  void add(Rank ranks, Bytes bytes) {
    for (const Algorithm& algorithm : algorithms()) {
      const bool is_barrier = algorithm.collective == Collective::kBarrier;
      if (!can_do(algorithm, ranks) || (is_barrier && bytes != kSizes.front())) {
        continue;
      }
      const Bytes own = is_barrier ? 0 : bytes;
      add(ranks, {algorithm.collective, std::string(algorithm.name), own});
      if (const Bytes segment = segment_for(own); algorithm.segmentable && segment > 0) {
        add(ranks, {algorithm.collective, std::string(algorithm.name), own, segment});
      }
    }
  }

  [[nodiscard]] SuitePoints take() { return std::move(list_); }

 private:
  void add(Rank ranks, const CollectiveRun& run) {
    BatchPoint point{ranks, run};
    // A root that is not the first rank, where there are enough of them.
    point.run.root = has_root(run.collective) && ranks > 4 ? ranks / 3 : 0;
    auto& list = is_affordable(point, limits_) ? list_.points : list_.too_costly;
    list.push_back(std::move(point));
  }

  const PointLimits& limits_;
  SuitePoints list_;
};

struct Machine {
  std::string name;
  std::string title;
  int nodes;
  int per_node;
  std::vector<Rank> ranks;
};

std::vector<Machine> machines() {
  std::vector<Machine> list{
      {"flat16", "16 alike hosts, every pair with a link of its own", 16, 1, {2, 3, 5, 8, 12, 16}},
      {"mixed16", "16 hosts of seven types, every pair with a link of its own", 16, 1, {3, 4, 7, 8, 13, 16}}};
  const std::array<std::vector<Rank>, 4> ranks_by_size{
      std::vector<Rank>{2, 4, 6, 8, 11, 16}, {4, 8, 12, 16, 24, 32}, {6, 8, 16, 32, 48, 64}, {16, 33, 64, 100, 256}};
  for (const VirtualMachine& machine : virtual_machines()) {
    const int size = machine.nodes * machine.per_node;
    const std::size_t row = size <= 16 ? 0 : size <= 32 ? 1 : size <= 64 ? 2 : 3;
    list.push_back({machine.name, machine.title, machine.nodes, machine.per_node, ranks_by_size[row]});
  }
  return list;
}

}  // namespace

Bytes segment_for(Bytes bytes) {
  return bytes > 10 * kLargeSegment ? kLargeSegment : bytes > 2 * kSegment ? kSegment : 0;
}

bool is_affordable(const BatchPoint& point, const PointLimits& limits) {
  const Schedule schedule = schedule_of(point.run, point.ranks);
  const Traffic traffic = traffic_of(schedule);
  const bool divided = point.run.collective == Collective::kAlltoall;
  const Bytes of_a_rank = divided ? schedule.layout.total() / point.ranks : schedule.layout.total();
  return traffic.messages <= limits.messages && message_pairs_of(schedule) <= limits.message_pairs &&
         traffic.bytes <= limits.traffic && 2 * Bytes{point.ranks} * of_a_rank <= limits.memory;
}

SuitePoints suite_points(const std::vector<Rank>& ranks, SuiteScale scale, int turn, const PointLimits& limits) {
  PointList list(limits);
  // A cell (i, j) of P by size is taken where i + j is a multiple of the step: each row and column in turn.
  const std::size_t step = scale == SuiteScale::kQuick ? 12 : 4;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    for (std::size_t j = 0; j < kSizes.size(); ++j) {
      if ((i + j + static_cast<std::size_t>(turn)) % step == 0) {
        list.add(ranks[i], kSizes[j]);
      }
    }
  }
  return list.take();
}

std::string tell_too_costly(const std::vector<SuiteRun>& runs) {
  std::size_t all = 0;
  std::size_t costly = 0;
  std::map<std::string, std::set<Rank>> ranks_of;  // by collective and algorithm
  for (const SuiteRun& run : runs) {
    all += run.points.size() + run.too_costly.size();
    costly += run.too_costly.size();
    for (const BatchPoint& point : run.too_costly) {
      ranks_of[fmt::format("{} {}", name_of(point.run.collective), point.run.algorithm)].insert(point.ranks);
    }
  }
  if (costly == 0) {
    return "";
  }
  const PointLimits limits;
  std::string text = fmt::format(
      "{}: {} of {} points take too long to simulate (more than {} messages, too many of them at once, more than {} "
      "carried or {} of buffers):",
      runs.front().platform, costly, all, limits.messages, format_bytes(limits.traffic), format_bytes(limits.memory));
  const char* separator = " ";
  for (const auto& [name, ranks] : ranks_of) {
    text += fmt::format("{}{} (P = {})", separator, name, fmt::join(ranks, ", "));
    separator = "; ";
  }
  return text;
}

std::vector<SuiteRun> suite_runs(const std::vector<std::string>& platforms, SuiteScale scale) {
  std::vector<SuiteRun> runs;
  int turn = 0;  // the same whichever platforms are asked for
  for (const Machine& machine : machines()) {
    const bool asked =
        platforms.empty() || std::find(platforms.begin(), platforms.end(), machine.name) != platforms.end();
    for (const Placement placement : {Placement::kBlock, Placement::kCyclic}) {
      if (placement == Placement::kCyclic && machine.per_node == 1) {
        continue;
      }
      ++turn;
      if (asked) {
        SuitePoints list = suite_points(machine.ranks, scale, turn);
        runs.push_back({machine.name, machine.title, machine.nodes, machine.per_node, placement, std::move(list.points),
                        std::move(list.too_costly), scale == SuiteScale::kFull ? kRepetitions : kQuickRepetitions});
      }
    }
  }
  return runs;
}

}  // namespace postage
