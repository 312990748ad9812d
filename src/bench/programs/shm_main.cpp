// The experiments over shared memory: postage-bench-shm RANKS [EXPERIMENTS [SIZES [SECONDS]]]. Ranks are forked and
// bound to one core each, as long as there are cores, or to the hardware threads that POSTAGE_BENCH_PUS lists.
// POSTAGE_SINGLE_COPY=0 switches single copy off.
#include "bench/programs/plan.hpp"
#include "bench/programs/pus.hpp"
#include "bench/programs/shm_backend.hpp"

#include <postage/shm/fork.hpp>

namespace postage::bench {
namespace {

int run(int argc, char** argv) {
  const int ranks = argc > 1 ? std::stoi(argv[1]) : 2;
  const Plan plan = parse_plan(argc - 1, argv + 1);
  const auto work = [&](ShmEndpoint& endpoint) {
    ShmBackend backend(endpoint);
    run_plan(backend, plan);
    return 0;
  };
  return run_forked(ranks, work, {.pus = given_pus(), .endpoint = endpoint_options()});
}

}  // namespace
}  // namespace postage::bench

int main(int argc, char** argv) {
  try {
    return postage::bench::run(argc, argv);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage-bench-shm: %s\n", failure.what());
    return 1;
  }
}
