// Shared memory among the ranks of an MPI job on one node: messages beside MPI's own, and a schedule. Started by
// mpirun; says what is wrong and exits with 1.
#include <postage/schedule/algorithms.hpp>
#include <postage/shm/endpoint.hpp>
#include <postage/transport/executor.hpp>
#include <postage/transport/mpi/node_shm.hpp>
#include <postage/transport/shm/shm_transport.hpp>

#include <mpi.h>

#include <cstdio>
#include <numeric>
#include <vector>

namespace postage {
namespace {

/// Every rank sends every other one a message whose bytes say between whom it went.
bool passes_messages(ShmEndpoint& endpoint, std::size_t bytes) {
  const auto content = [&](int from, int to) {
    return std::vector<std::byte>(bytes, static_cast<std::byte>(16 * from + to));
  };
  std::vector<std::vector<std::byte>> sent;
  std::vector<std::vector<std::byte>> received(static_cast<std::size_t>(endpoint.size()),
                                               std::vector<std::byte>(bytes));
  std::vector<ShmRequest> requests;
  for (int other = 0; other < endpoint.size(); ++other) {
    requests.push_back(endpoint.start_receive(received[static_cast<std::size_t>(other)], other, 3));
  }
  for (int other = 0; other < endpoint.size(); ++other) {
    sent.push_back(content(endpoint.rank(), other));
    requests.push_back(endpoint.start_send(sent.back(), other, 3));
  }
  endpoint.wait_all(requests);
  for (int other = 0; other < endpoint.size(); ++other) {
    if (received[static_cast<std::size_t>(other)] != content(other, endpoint.rank())) {
      return false;
    }
  }
  return true;
}

/// The sum by a schedule over shared memory, and by the library.
bool sums_alike(ShmEndpoint& endpoint) {
  constexpr std::size_t kCount = 5000;
  const ScheduleRequest request{.ranks = endpoint.size(), .bytes = kCount * 4, .element_bytes = 4};
  const Schedule schedule = build_schedule(find_algorithm(Collective::kAllreduce, "recursive-doubling"), request);
  RankProgram program(schedule, endpoint.rank(), {.commutative = true});
  std::vector<std::int32_t> mine(kCount);
  std::iota(mine.begin(), mine.end(), 1000 * endpoint.rank());
  std::vector<std::int32_t> sum(kCount);
  std::vector<std::int32_t> expected(kCount);
  ShmTransport transport(endpoint);
  program.run(transport, {std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(sum))},
              [](std::span<const std::byte> left, std::span<std::byte> right) {
                const auto* from = reinterpret_cast<const std::int32_t*>(left.data());
                auto* to = reinterpret_cast<std::int32_t*>(right.data());
                for (std::size_t i = 0; i < right.size() / sizeof *to; ++i) {
                  to[i] += from[i];
                }
              });
  MPI_Allreduce(mine.data(), expected.data(), kCount, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
  return sum == expected;
}

int run() {
  const NodeGroup group = node_group(MPI_COMM_WORLD);
  ShmEndpoint endpoint(group.segment, group.rank);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool good = endpoint.size() == size && passes_messages(endpoint, 5) && passes_messages(endpoint, 50000) &&
                    passes_messages(endpoint, 300000) && sums_alike(endpoint);
  // The same by single copy and cooperative copies.
  endpoint.use_thresholds(ThresholdTable::uniform(
      {.single_copy = 20000, .cooperative = 200000, .skewed_single_copy = 20000, .bidirectional_single_copy = 20000}));
  const bool also_good = passes_messages(endpoint, 50000) && passes_messages(endpoint, 300000);
  if (!good || !also_good) {
    std::fprintf(stderr, "rank %d: shared memory among MPI's ranks gave wrong bytes\n", group.rank);
  }
  return good && also_good ? 0 : 1;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 1;
  try {
    status = postage::run();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  }
  MPI_Finalize();
  return status;
}
