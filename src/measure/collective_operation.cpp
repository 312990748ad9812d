#include "measure/task.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/campaign.hpp>
#include <postage/measure/collective_data.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// The experiment's program, compiled when it is first asked for.
CompiledCollective& compiled(TaskContext& context, const Experiment& e) {
  const CollectiveRun run{parse_collective(e.collective), e.algorithm, e.bytes, e.segment_bytes, e.root};
  const auto [known, is_new] = context.programs.try_emplace(format_collective_run(run));
  if (is_new) {
    const Transport& transport = context.transport;
    known->second.schedule = schedule_of(run, transport.size());
    known->second.program =
        std::make_unique<RankProgram>(known->second.schedule, transport.rank(), ProgramOptions{.commutative = true});
  }
  return known->second;
}

}  // namespace

void check_collective(TaskContext& context, const Experiment& e) {
  CompiledCollective& known = compiled(context, e);
  if (known.is_checked) {
    return;
  }
  const Bytes element_bytes = element_bytes_for(known.schedule.collective, e.bytes);
  CollectiveData data(known.schedule, element_bytes, context.transport.rank(), *known.program);
  known.program->run(context.transport, data.buffers(), data.sum());
  data.check();
  known.is_checked = true;
}

std::function<void()> make_collective(TaskContext& context, const Experiment& e) {
  Transport& transport = context.transport;
  const CompiledCollective& known = compiled(context, e);
  RankProgram& program = *known.program;
  const RankBuffers buffers{context.workspace.out(program.send_bytes()), context.workspace.in(program.receive_bytes())};
  return [&transport, &program, buffers, sum = sum_of_elements(element_bytes_for(known.schedule.collective, e.bytes))] {
    program.run(transport, buffers, [&](std::span<const std::byte> left, std::span<std::byte> right) {
      sum(left, right);
      transport.account_for(static_cast<double>(left.size()) / sizeof(double));
    });
  };
}

}  // namespace postage
