// Runs every broadcast and barrier by postage's executor and compares with the MPI library's own result. Started by
// mpirun on several ranks; says what differs and exits with 1.
#include "transport/mpi/mpi_transport.hpp"

#include <postage/schedule/algorithms.hpp>
#include <postage/transport/executor.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <vector>

namespace postage {
namespace {

std::vector<std::byte> message_of(Rank rank, Bytes bytes) {
  std::vector<std::byte> message(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < message.size(); ++i) {
    message[i] = static_cast<std::byte>((i * 37 + static_cast<std::size_t>(rank) * 101 + i / 256) & 0xff);
  }
  return message;
}

/// True where postage's broadcast gives what MPI_Bcast gives, twice over, so that a second run finds nothing stale.
bool same_as_mpi(MpiTransport& transport, const Algorithm& algorithm, const ScheduleRequest& request) {
  RankProgram program(build_schedule(algorithm, request), transport.rank());
  bool same = true;
  for (int repeat = 0; repeat < 2; ++repeat) {
    std::vector<std::byte> ours = message_of(transport.rank() + repeat, request.bytes);
    std::vector<std::byte> theirs = ours;
    program.run(transport, {.receive = ours});
    MPI_Bcast(theirs.data(), static_cast<int>(theirs.size()), MPI_BYTE, request.root, MPI_COMM_WORLD);
    same = same && ours == theirs;
  }
  if (!same) {
    fmt::print(stderr, "rank {}: {} of {} bytes in segments of {} from root {} differs from MPI_Bcast\n",
               transport.rank(), algorithm.name, request.bytes, request.segment_bytes, request.root);
  }
  return same;
}

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
  if (first_left < last_entered) {
    fmt::print(stderr, "barrier {} let a rank go before all had come\n", algorithm.name);
  }
  return first_left >= last_entered;
}

int run() {
  MpiTransport transport(MPI_COMM_WORLD);
  int good = 1;
  int checks = 0;
  const auto check = [&](bool holds_true) {
    good = holds_true ? good : 0;
    ++checks;
  };
  for (const Algorithm& algorithm : algorithms_of(Collective::kBcast)) {
    for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{1000}, Bytes{70001}, Bytes{1} << 20}) {
      for (const Bytes segment : {Bytes{0}, Bytes{999}, Bytes{65536}}) {
        const bool is_sensible = segment == 0 || bytes / segment < 100;
        for (Rank root = 0; is_sensible && can_do(algorithm, transport.size()) && root < transport.size(); root += 2) {
          check(same_as_mpi(transport, algorithm,
                            {.ranks = transport.size(), .root = root, .bytes = bytes, .segment_bytes = segment}));
        }
      }
    }
  }
  for (const Algorithm& algorithm : algorithms_of(Collective::kBarrier)) {
    check(holds(transport, algorithm));
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
  MPI_Init(&argc, &argv);
  const int status = postage::run();
  MPI_Finalize();
  return status;
}
