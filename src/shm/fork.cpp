#include <postage/platform/topology.hpp>
#include <postage/shm/fork.hpp>

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

namespace postage {
namespace {

void bind_to(int pu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(pu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/// Hardware threads for the ranks, or none where they should move freely.
std::vector<int> cores_for(std::int32_t ranks, const ForkOptions& options) {
  if (!options.pus.empty() && static_cast<std::int32_t>(options.pus.size()) != ranks) {
    throw UsageError(fmt::format("{} hardware threads are given for {} ranks", options.pus.size(), ranks));
  }
  std::vector<int> pus = options.pus;
  if (pus.empty() && options.bind) {
    for (const Core& core : discover_topology().cores) {
      pus.push_back(core.pu);
    }
  }
  return static_cast<std::int32_t>(pus.size()) >= ranks ? pus : std::vector<int>{};
}

int run_rank(const ShmSegment& segment, std::int32_t rank, const std::function<int(ShmEndpoint&)>& work,
             const ShmOptions& options) {
  const auto complain = [&](const std::exception& failure, int status) {
    fmt::print(stderr, "postage: rank {}: {}\n", rank, failure.what());
    return status;
  };
  try {
    ShmEndpoint endpoint(segment, rank, options);
    return work(endpoint);
  } catch (const UsageError& failure) {
    return complain(failure, 2);
  } catch (const std::exception& failure) {
    return complain(failure, 1);
  }
}

/// Those that run already are killed: they would wait for the one that is missing.
[[noreturn]] void give_up(const std::vector<pid_t>& started) {
  const std::string why = std::strerror(errno);
  for (const pid_t process : started) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
  throw Error(fmt::format("cannot start rank {} ({})", started.size(), why));
}

}  // namespace

int run_forked(std::int32_t ranks, const std::function<int(ShmEndpoint&)>& work, const ForkOptions& options) {
  const ShmSegment segment = ShmSegment::create(ranks, options.segment);
  const std::vector<int> pus = cores_for(ranks, options);
  std::fflush(nullptr);
  std::vector<pid_t> processes;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) {
      give_up(processes);
    }
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) {
        _exit(1);
      }
      if (!pus.empty()) {
        bind_to(pus[static_cast<std::size_t>(rank)]);
      }
      const int status = run_rank(segment, rank, work, options.endpoint);
      std::fflush(nullptr);
      _exit(status);
    }
    processes.push_back(process);
  }
  int worst = 0;
  for (const pid_t process : processes) {
    int status = 0;
    waitpid(process, &status, 0);
    worst = std::max(worst, WIFEXITED(status) ? WEXITSTATUS(status) : 1);
  }
  return worst;
}

}  // namespace postage
