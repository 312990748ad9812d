#include "bench/programs.hpp"

#include <postage/base/error.hpp>
#include <postage/bench/preload.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr Seconds kPreloadLimit = 600;

/// The one asked for, or the first that can be started.
std::string preloadable_mpi(const std::string& wanted) {
  for (const MpiFlavour& flavour : find_flavours()) {
    const bool has_library = !find_built(fmt::format("libpostage-{}.so", flavour.name)).empty();
    if (flavour.usable() && has_library && (wanted.empty() || wanted == flavour.name)) {
      return flavour.name;
    }
  }
  throw UsageError(wanted.empty() ? std::string("there is no MPI here that a preload library was built for")
                                  : fmt::format("--mpi {}: no preload library was built for it here; there is one for "
                                                "each of openmpi and mpich that 'make build' finds",
                                                wanted));
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace

void PreloadBenchPlan::set_sizes(const std::vector<Bytes>& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  for (const Bytes bytes : {*least, *most}) {
    if (bytes < 8 || (bytes & (bytes - 1)) != 0) {
      throw UsageError(fmt::format("--sizes: {} is no power of two from 8 on, which --preload takes", bytes));
    }
  }
  smallest = *least;
  largest = *most;
}

PreloadGains run_preload_bench(const PreloadBenchPlan& plan) {
  const std::string mpi = preloadable_mpi(plan.mpi);
  static_cast<void>(require_built("postage-bench-preload-" + mpi));
  const LaunchTarget target{.mpi = mpi, .ranks = plan.ranks, .program = "postage-bench-preload"};
  const std::vector<std::string> arguments{std::to_string(plan.smallest), std::to_string(plan.largest),
                                           std::to_string(plan.pairs), fmt::format("{}", 1e3 * plan.seconds)};
  std::vector<std::string> command{
      "env", fmt::format("LD_PRELOAD={}", find_built(fmt::format("libpostage-{}.so", mpi)).string())};
  for (const std::string& word : launch_command(target, arguments)) {
    command.push_back(word);
  }
  return {.library = mpi,
          .host = host_name(),
          .ranks = plan.ranks,
          .cells = parse_preload_gains(run_command(command, kPreloadLimit))};
}

}  // namespace postage
