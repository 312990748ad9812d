#include "measure/collective_data.hpp"
#include "measure/task.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/campaign.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

Schedule schedule_of(const Transport& transport, Collective collective, const Experiment& e) {
  return build_schedule(find_algorithm(collective, e.algorithm),
                        {.ranks = transport.size(),
                         .root = e.root,
                         .bytes = e.bytes,
                         .element_bytes = element_bytes_for(collective, e.bytes),
                         .segment_bytes = e.segment_bytes});
}

/// Runs once on data that say where they came from, and throws Error where a wrong byte arrives.
void check(Transport& transport, const Schedule& schedule, Bytes element_bytes, RankProgram& program) {
  CollectiveData data(schedule, element_bytes, transport.rank(), program);
  program.run(transport, data.buffers(), data.sum());
  data.check();
}

}  // namespace

std::function<void()> make_collective(TaskContext& context, const Experiment& e) {
  Transport& transport = context.transport;
  const Collective collective = parse_collective(e.collective);
  const std::string key = format_collective_run({collective, e.algorithm, e.bytes, e.segment_bytes, e.root});
  const auto [known, is_new] = context.programs.try_emplace(key);
  if (is_new) {
    const Schedule schedule = schedule_of(transport, collective, e);
    known->second = std::make_unique<RankProgram>(schedule, transport.rank(), ProgramOptions{.commutative = true});
    check(transport, schedule, element_bytes_for(collective, e.bytes), *known->second);
  }
  RankProgram& program = *known->second;
  const RankBuffers buffers{context.workspace.out(program.send_bytes()), context.workspace.in(program.receive_bytes())};
  return [&transport, &program, buffers, sum = sum_of_elements(element_bytes_for(collective, e.bytes))] {
    program.run(transport, buffers, [&](std::span<const std::byte> left, std::span<std::byte> right) {
      sum(left, right);
      transport.account_for(static_cast<double>(left.size()) / sizeof(double));
    });
  };
}

}  // namespace postage
