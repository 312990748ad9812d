#include "blade/transport/collective.hpp"

#include "blade/transport/blade_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage::blade {
namespace {

/// One rank's part of a collective.
struct BladeRank {
  BladeRank(const Schedule& schedule, Bytes element_bytes, Rank rank, Session& session)
      : program(schedule, rank, {.commutative = true}),
        data(schedule, element_bytes, rank, program),
        transport(session, 0, rank, schedule.ranks) {}

  void run(Spe& spe) {
    const Reduction sum = data.sum();
    program.run(transport, data.buffers(), [&](std::span<const std::byte> left, std::span<std::byte> right) {
      sum(left, right);
      spe.combine(static_cast<Bytes>(right.size()));
    });
  }

  RankProgram program;
  CollectiveData data;
  BladeTransport transport;
};

/// The paper's protocol for every message that says nothing else.
Schedule with_acknowledgements(Schedule schedule) {
  if (schedule.layout.total() == 0) {
    return schedule;  // signals alone
  }
  for (Stage& stage : schedule.stages) {
    for (Round& round : stage.rounds) {
      for (Pattern& pattern : round.patterns) {
        if (pattern.protocol == Protocol::kDefault) {
          pattern.protocol = Protocol::kAcknowledged;
        }
      }
    }
  }
  return schedule;
}

}  // namespace

Bytes memory_of(const Schedule& schedule) {
  Bytes most = 0;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    const RankProgram program(schedule, rank, {.commutative = true});
    most = std::max(most, program.send_bytes() + program.receive_bytes() + program.scratch_bytes());
  }
  return most;
}

Cycles run_collective(Machine& machine, const Schedule& asked, Bytes element_bytes) {
  const Schedule schedule = with_acknowledgements(asked);
  Session session(machine, schedule.ranks);
  std::vector<std::unique_ptr<BladeRank>> ranks;
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    ranks.push_back(std::make_unique<BladeRank>(schedule, element_bytes, rank, session));
    session.run_on(rank, [&session, rank, self = ranks.back().get()] { self->run(session.spe(rank)); });
  }
  const std::vector<Cycles> ends = session.run();
  for (const auto& rank : ranks) {
    rank->data.check();
  }
  return *std::max_element(ends.begin(), ends.end());
}

}  // namespace postage::blade
