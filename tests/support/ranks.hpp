#pragma once

#include <postage/shm/endpoint.hpp>

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace postage::test {

/// How a rank ended: its exit status, or 128 + the signal that killed it, as a shell says it.
using RankStatus = int;
inline constexpr RankStatus kFine = 0;
inline constexpr RankStatus kThrew = 1;
inline constexpr RankStatus kSawDeath = 3;  ///< PeerDied
inline constexpr RankStatus kKilled = 128 + SIGKILL;
inline constexpr RankStatus kHung = 128 + SIGALRM;

/// Seconds; under ThreadSanitizer everything takes many times as long.
#ifdef __SANITIZE_THREAD__
inline constexpr unsigned kLimit = 600;
#else
inline constexpr unsigned kLimit = 120;
#endif

/// Ranks as processes, forked from the test.
class ForkedRanks {
 public:
  using Work = std::function<void(std::int32_t rank)>;

  /// A rank that is not done after `limit` seconds counts as hung and is killed.
  ForkedRanks(std::int32_t ranks, const Work& work, unsigned limit = kLimit) {
    std::fflush(nullptr);
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      const pid_t child = fork();
      if (child == 0) {
        alarm(limit);
        run(work, rank);
      }
      processes_.push_back(child);
    }
  }
  ~ForkedRanks() {
    for (const pid_t process : processes_) {
      if (process > 0) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
      }
    }
  }
  ForkedRanks(const ForkedRanks&) = delete;
  ForkedRanks& operator=(const ForkedRanks&) = delete;

  [[nodiscard]] pid_t process(std::int32_t rank) const { return processes_[static_cast<std::size_t>(rank)]; }

  [[nodiscard]] std::vector<RankStatus> wait() {
    std::vector<RankStatus> statuses;
    for (pid_t& process : processes_) {
      int status = 0;
      waitpid(process, &status, 0);
      process = -1;
      statuses.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
    return statuses;
  }

 private:
  [[noreturn]] static void run(const Work& work, std::int32_t rank) {
    RankStatus status = kFine;
    try {
      work(rank);
    } catch (const PeerDied&) {
      status = kSawDeath;
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "rank %d: %s\n", rank, failure.what());
      status = kThrew;
    }
    std::fflush(nullptr);
    // The test's own end belongs to the parent.
    _exit(status);
  }

  std::vector<pid_t> processes_;
};

/// Runs `work` on so many forked ranks that share a segment; how each ended.
inline std::vector<RankStatus> run_ranks(std::int32_t ranks, const std::function<void(ShmEndpoint&)>& work,
                                         const ShmOptions& options = {}, const SegmentOptions& memory = {}) {
  const ShmSegment segment = ShmSegment::create(ranks, memory);
  return ForkedRanks(ranks,
                     [&](std::int32_t rank) {
                       ShmEndpoint endpoint(segment, rank, options);
                       work(endpoint);
                     })
      .wait();
}

/// Thresholds under which messages up to 5 MB take every protocol.
inline ShmOptions with_every_protocol() {
  ShmOptions options;
  options.thresholds = ThresholdTable::uniform({.eager = 8192,
                                                .single_copy = 32768,
                                                .cooperative = 131072,
                                                .skewed_single_copy = 262144,
                                                .bidirectional_single_copy = 65536});
  return options;
}

inline std::vector<RankStatus> all_fine(std::int32_t ranks) {
  return std::vector<RankStatus>(static_cast<std::size_t>(ranks), kFine);
}

/// Whether `work` throws `Failure`.
template <typename Failure, typename Work>
bool throws(const Work& work) {
  try {
    work();
  } catch (const Failure&) {
    return true;
  }
  return false;
}

/// What a forked rank calls instead of EXPECT_TRUE: the sentence goes to the parent's output.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) {
    throw std::runtime_error(sentence);
  }
}

}  // namespace postage::test
