#include "measure/task.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/campaign.hpp>

#include <fmt/format.h>

#include <cstring>

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
  program.run(transport, {.receive = buffer});
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    if (buffer[i] != pattern(i)) {
      throw Error(
          fmt::format("{} {} delivered a wrong byte {} to rank {}", e.collective, e.algorithm, i, transport.rank()));
    }
  }
}

/// right += left, as numbers of double precision; bytes that do not make up one are copied.
void add_doubles(std::span<const std::byte> left, std::span<std::byte> right) {
  constexpr std::size_t size = sizeof(double);
  const std::size_t whole = left.size() / size * size;
  for (std::size_t i = 0; i < whole; i += size) {
    double a = 0;
    double b = 0;
    std::memcpy(&a, left.data() + i, size);
    std::memcpy(&b, right.data() + i, size);
    b += a;
    std::memcpy(right.data() + i, &b, size);
  }
  std::copy(left.begin() + static_cast<std::ptrdiff_t>(whole), left.end(),
            right.begin() + static_cast<std::ptrdiff_t>(whole));
}

std::unique_ptr<RankProgram> compile(const Transport& transport, Collective collective, const Experiment& e) {
  constexpr Bytes number = sizeof(double);
  const ScheduleRequest request{.ranks = transport.size(),
                                .root = e.root,
                                .bytes = e.bytes,
                                .element_bytes = e.bytes % number == 0 && e.bytes > 0 ? number : 1,
                                .segment_bytes = e.segment_bytes};
  return std::make_unique<RankProgram>(build_schedule(find_algorithm(collective, e.algorithm), request),
                                       transport.rank(), ProgramOptions{.commutative = true});
}

}  // namespace

std::function<void()> make_collective(TaskContext& context, const Experiment& e) {
  Transport& transport = context.transport;
  const Collective collective = parse_collective(e.collective);
  const std::string key = format_collective_run({collective, e.algorithm, e.bytes, e.segment_bytes, e.root});
  const auto [known, is_new] = context.programs.try_emplace(key);
  if (is_new) {
    known->second = compile(transport, collective, e);
  }
  RankProgram& program = *known->second;
  const RankBuffers buffers{context.workspace.out(program.send_bytes()), context.workspace.in(program.receive_bytes())};
  if (is_new && collective == Collective::kBcast) {
    check_broadcast(transport, program, buffers.receive, e);
  }
  return [&transport, &program, buffers] {
    program.run(transport, buffers, [&](std::span<const std::byte> left, std::span<std::byte> right) {
      add_doubles(left, right);
      transport.account_for(static_cast<double>(left.size()) / sizeof(double));
    });
  };
}

}  // namespace postage
