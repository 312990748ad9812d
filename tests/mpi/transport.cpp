// What the collectives' comparison does not see: barriers that hold, messages too large for MPI's counts, MPI's errors.
// Started by mpirun on several ranks; says what is wrong and exits with 1.
#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/executor.hpp>
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace postage {
namespace {

constexpr int kTag = 7;

/// A barrier holds if nobody leaves before the last one entered: each rank enters later than the one before.
bool holds(MpiTransport& transport, const Algorithm& algorithm) {
  RankProgram program(build_schedule(algorithm, {.ranks = transport.size()}), transport.rank());
  program.run(transport, {});
  transport.wait_until(transport.now() + 0.002 * transport.rank());
  double entered = transport.now();
  program.run(transport, {});
  double left = transport.now();
  if (!transport.has_global_clock()) {
    return true;
  }
  double last_entered = 0;
  double first_left = 0;
  MPI_Allreduce(&entered, &last_entered, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&left, &first_left, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return first_left >= last_entered;
}

std::vector<std::byte> message_of(std::size_t bytes, int rank) {
  std::vector<std::byte> message(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    message[i] = static_cast<std::byte>(i * 37 + i / 256 + static_cast<std::size_t>(rank) * 101);
  }
  return message;
}

/// Ranks 0 and 1 exchange messages, blocking and not, through a transport whose counts end at 1000.
bool exchanges(MpiTransport& transport, std::size_t bytes) {
  const int partner = 1 - transport.rank();
  const std::vector<std::byte> sent = message_of(bytes, transport.rank());
  const std::vector<std::byte> expected = message_of(bytes, partner);
  std::vector<std::byte> received(bytes);
  const std::vector<Transport::Request> requests{transport.start_receive(received, partner, kTag),
                                                 transport.start_send(sent, partner, kTag)};
  transport.wait_all(requests);
  const bool same = received == expected;
  received.assign(bytes, std::byte{0});
  if (transport.rank() == 0) {
    transport.send(sent, partner, kTag);
    transport.receive(received, partner, kTag);
  } else {
    transport.receive(received, partner, kTag);
    transport.send(sent, partner, kTag);
  }
  return same && received == expected;
}

/// Rank 1 has no room for what rank 0 sends.
bool reports_truncation(MpiTransport& transport) {
  std::vector<std::byte> message(16);
  if (transport.rank() == 0) {
    transport.send(message, 1, kTag);
    return true;
  }
  try {
    transport.receive(std::span(message).first(8), 0, kTag);
  } catch (const Error&) {
    return true;
  }
  return false;
}

int run() {
  MpiTransport transport(MPI_COMM_WORLD);
  MpiTransport small_counts(MPI_COMM_WORLD, 1000);
  int good = 1;
  int checks = 0;
  const auto check = [&](bool is_true, const std::string& what) {
    if (!is_true) {
      fmt::print(stderr, "rank {}: {}\n", transport.rank(), what);
      good = 0;
    }
    ++checks;
  };
  for (const Algorithm& algorithm : algorithms_of(Collective::kBarrier)) {
    if (can_do(algorithm, transport.size())) {
      check(holds(transport, algorithm), fmt::format("barrier {} let a rank go before all had come", algorithm.name));
    }
  }
  if (transport.rank() < 2) {
    for (const std::size_t bytes : {0, 999, 1000, 1001, 2000, 70001}) {
      check(exchanges(small_counts, bytes), fmt::format("{} bytes in counts of up to 1000 arrived damaged", bytes));
    }
    if (!transport.is_virtual()) {
      check(reports_truncation(transport), "a message longer than its receive is no error");
    }
  }
  int all_good = 0;
  MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (transport.rank() == 0) {
    fmt::print("{}: {} checks on {} ranks\n", transport.implementation(), checks, transport.size());
  }
  return all_good == 1 && checks > 0 ? 0 : 1;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("test-transport", argc, argv, postage::run);
}
