// The experiments over shared memory for a simulator of caches: postage-bench-shm-traced RANKS [EXPERIMENTS [SIZES
// [SECONDS]]]. Ranks are threads of one process, so that one simulated cache sees the copies of both, and what single
// copy has the kernel do is done here instead, where the simulator sees it.
#include "bench/programs/plan.hpp"
#include "bench/programs/shm_backend.hpp"

#include <sys/types.h>
#include <sys/uio.h>

#include <thread>

namespace postage::bench {
namespace {

/// Single copy has as many pieces on the one side as on the other, and they are as long.
ssize_t copy(const iovec* to, const iovec* from, unsigned long count) {
  ssize_t moved = 0;
  for (unsigned long i = 0; i < count; ++i) {
    std::memcpy(to[i].iov_base, from[i].iov_base, to[i].iov_len);
    moved += static_cast<ssize_t>(to[i].iov_len);
  }
  return moved;
}

/// A rank that fails ends the others too, which would wait for it.
void run_rank(const ShmSegment& segment, std::int32_t rank, const Plan& plan) {
  try {
    ShmEndpoint endpoint(segment, rank, endpoint_options());
    ShmBackend backend(endpoint);
    run_plan(backend, plan);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage-bench-shm-traced: %s\n", failure.what());
    std::_Exit(1);
  }
}

void run_threads(std::int32_t ranks, const Plan& plan) {
  const ShmSegment segment = ShmSegment::create(ranks);
  std::vector<std::thread> threads;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] { run_rank(segment, rank, plan); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
}  // namespace postage::bench

// In place of the system calls.
extern "C" ssize_t process_vm_readv(pid_t, const iovec* local, unsigned long count, const iovec* remote, unsigned long,
                                    unsigned long) noexcept {
  return postage::bench::copy(local, remote, count);
}

extern "C" ssize_t process_vm_writev(pid_t, const iovec* local, unsigned long count, const iovec* remote, unsigned long,
                                     unsigned long) noexcept {
  return postage::bench::copy(remote, local, count);
}

int main(int argc, char** argv) {
  postage::bench::run_threads(argc > 1 ? std::stoi(argv[1]) : 2, postage::bench::parse_plan(argc - 1, argv + 1));
  return 0;
}
