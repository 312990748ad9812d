#include "bench/cache_misses.hpp"
#include "bench/programs.hpp"

#include <postage/base/error.hpp>
#include <postage/bench/shared_cache.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <future>

namespace postage {
namespace {

constexpr int kWindow = 64;

ProtocolThresholds only_copies(bool pool_window) {
  constexpr Bytes kNever = ProtocolThresholds::kNever;
  return {.eager = 8 << 10,
          .single_copy = kNever,
          .cooperative = kNever,
          .skewed_single_copy = kNever,
          .bidirectional_single_copy = kNever,
          .pool_window = pool_window};
}

class SharedCacheRuns {
 public:
  explicit SharedCacheRuns(const SimulatedCaches& caches) {
    if (find_in_path("valgrind").empty()) {
      throw Error("caches are simulated by valgrind, which is not on the PATH; install it");
    }
    const auto level = [&](const char* option, Bytes bytes, int ways) {
      return fmt::format("--{}={},{},{}", option, bytes, ways, caches.line);
    };
    valgrind_ = {"valgrind",
                 "--tool=cachegrind",
                 "--cache-sim=yes",
                 "--fair-sched=yes",
                 level("D1", caches.first_level, caches.first_ways),
                 level("LL", caches.last_level, caches.last_ways)};
  }

  /// Misses of the last level for one message: what a further window takes, over its messages. Two starts differ by a
  /// few misses of their own, also downwards.
  [[nodiscard]] double misses_of(const ProtocolThresholds& thresholds, Bytes bytes) const {
    constexpr int kFew = 2;
    constexpr int kMore = 6;
    // Both at once: a simulation keeps one core busy.
    auto few = std::async(std::launch::async, [&] { return misses_of(thresholds, bytes, kFew); });
    const double more = misses_of(thresholds, bytes, kMore);
    return std::max(more - few.get(), 0.0) / ((kMore - kFew) * kWindow);
  }

 private:
  [[nodiscard]] double misses_of(const ProtocolThresholds& thresholds, Bytes bytes, int windows) const {
    const TemporaryFolder folder;
    const TemporaryFolder counts;
    const std::filesystem::path platform = folder.path() / "platform.json";
    write_thresholds(platform, thresholds);
    std::vector<std::string> command{"env", "POSTAGE_PLATFORM=" + platform.string(), "POSTAGE_SINGLE_COPY=1"};
    command.insert(command.end(), valgrind_.begin(), valgrind_.end());
    command.push_back(fmt::format("--cachegrind-out-file={}/%p", counts.path().string()));
    static_cast<void>(
        run_with(command, {require_built("postage-bench-shm-traced").string(), "2", "bandwidth-distinct-buffers",
                           std::to_string(bytes), fmt::format("x{}", windows)}));
    return misses_in(counts.path()).second;
  }

  std::vector<std::string> valgrind_;
};

}  // namespace

std::vector<SharedCacheMisses> simulate_shared_cache(const SimulatedCaches& caches, const std::vector<Bytes>& sizes,
                                                     const std::function<void(const std::string&)>& tell) {
  const SharedCacheRuns runs(caches);
  std::vector<SharedCacheMisses> all;
  for (const Bytes bytes : sizes) {
    all.push_back({.bytes = bytes,
                   .copies_whole_pool = runs.misses_of(only_copies(false), bytes),
                   .copies_pool_window = runs.misses_of(only_copies(true), bytes),
                   .single_copy = runs.misses_of(kPureSingleCopy, bytes)});
    if (tell) {
      tell(fmt::format("simulated caches for messages of {}", format_bytes(bytes)));
    }
  }
  return all;
}

}  // namespace postage
