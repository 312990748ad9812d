#include "measure/task.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/campaign.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

std::byte pattern(std::size_t i) {
  return static_cast<std::byte>((i * 131 + i / 251 + 7) & 0xff);
}

/// Puts a pattern into the root's buffer, runs once and compares everywhere.
void check_broadcast(Transport& transport, RankProgram& program, std::span<std::byte> buffer, const Experiment& e) {
  const bool is_root = transport.rank() == e.root;
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    buffer[i] = is_root ? pattern(i) : std::byte{0};
  }
  program.run(transport, buffer);
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    if (buffer[i] != pattern(i)) {
      throw Error(
          fmt::format("{} {} delivered a wrong byte {} to rank {}", e.collective, e.algorithm, i, transport.rank()));
    }
  }
}

}  // namespace

std::function<void()> make_collective(TaskContext& context, const Experiment& e) {
  Transport& transport = context.transport;
  const Collective collective = parse_collective(e.collective);
  const std::string key = format_collective_run({collective, e.algorithm, e.bytes, e.segment_bytes, e.root});
  const auto [known, is_new] = context.programs.try_emplace(key);
  if (is_new) {
    const ScheduleRequest request{
        .ranks = transport.size(), .root = e.root, .bytes = e.bytes, .segment_bytes = e.segment_bytes};
    known->second = std::make_unique<RankProgram>(build_schedule(find_algorithm(collective, e.algorithm), request),
                                                  transport.rank());
  }
  RankProgram& program = *known->second;
  const std::span<std::byte> buffer = context.workspace.out(program.buffer_bytes());
  if (is_new && collective == Collective::kBcast) {
    check_broadcast(transport, program, buffer, e);
  }
  return [&transport, &program, buffer] { program.run(transport, buffer); };
}

}  // namespace postage
