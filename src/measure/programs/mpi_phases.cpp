// What `postage optimize mapping --verify` starts: the messages of a pattern, with the ranks where the launcher put
// them.
#include <postage/base/entries.hpp>
#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/transport/mpi/mpi_program.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

namespace postage {
namespace {

/// "phase TIMES", or a message "SOURCE TARGET BYTES" of the last phase.
struct Line {
  int source = -1;  ///< -1 of a phase
  int target = 0;
  std::int64_t number = 0;
};

Line parse_line(const std::string& line) {
  std::istringstream words(line);
  Line parsed;
  if (line.starts_with("phase ") ? !(words.ignore(6) >> parsed.number)
                                 : !(words >> parsed.source >> parsed.target >> parsed.number)) {
    throw UsageError("a line is 'phase TIMES' or 'SOURCE TARGET BYTES'");
  }
  return parsed;
}

/// This rank's part of a phase.
struct OwnPhase {
  struct Message {
    int peer;
    int bytes;
  };
  std::int64_t times = 1;
  std::vector<Message> receives{};
  std::vector<Message> sends{};
};

std::vector<OwnPhase> own_phases(const std::string& file, int rank) {
  std::vector<OwnPhase> phases;
  for (const Line& line : parse_entries<Line>(read_file(file), file, parse_line)) {
    if (line.source < 0) {
      phases.push_back({.times = line.number});
    } else if (phases.empty()) {
      throw UsageError(fmt::format("{} begins without a phase", file));
    } else {
      const auto bytes = static_cast<int>(line.number);
      if (line.target == rank) {
        phases.back().receives.push_back({line.source, bytes});
      }
      if (line.source == rank) {
        phases.back().sends.push_back({line.target, bytes});
      }
    }
  }
  return phases;
}

/// In each phase ranks post their receives, start their sends and wait for all, as it is simulated.
class Exchange {
 public:
  explicit Exchange(std::vector<OwnPhase> phases) : phases_(std::move(phases)) {
    std::size_t bytes = 1;
    for (const OwnPhase& phase : phases_) {
      std::size_t own = 0;
      for (const auto& message : phase.receives) {
        own += static_cast<std::size_t>(message.bytes);
      }
      for (const auto& message : phase.sends) {
        bytes = std::max(bytes, static_cast<std::size_t>(message.bytes));
      }
      bytes = std::max(bytes, own);
    }
    sent_.resize(bytes);
    received_.resize(bytes);
  }

  double seconds() {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (const OwnPhase& phase : phases_) {
      for (std::int64_t time = 0; time < phase.times; ++time) {
        run(phase);
      }
    }
    const double own = MPI_Wtime() - start;
    double slowest = 0;
    MPI_Reduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return slowest;
  }

 private:
  void run(const OwnPhase& phase) {
    requests_.assign(phase.receives.size() + phase.sends.size(), MPI_REQUEST_NULL);
    std::size_t next = 0;
    std::size_t offset = 0;
    for (const auto& [peer, bytes] : phase.receives) {
      MPI_Irecv(received_.data() + offset, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests_[next++]);
      offset += static_cast<std::size_t>(bytes);
    }
    for (const auto& [peer, bytes] : phase.sends) {
      MPI_Isend(sent_.data(), bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, &requests_[next++]);
    }
    MPI_Waitall(static_cast<int>(next), requests_.data(), MPI_STATUSES_IGNORE);
  }

  std::vector<OwnPhase> phases_;
  std::vector<char> sent_;
  std::vector<char> received_;
  std::vector<MPI_Request> requests_{};
};

/// "HOST CORE": -1 where the rank may run on several.
std::string own_place() {
  std::array<char, 64> host{};
  gethostname(host.data(), host.size() - 1);
  cpu_set_t set;
  CPU_ZERO(&set);
  int core = -1;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1) {
    for (core = 0; !CPU_ISSET(static_cast<unsigned>(core), &set); ++core) {
    }
  }
  return fmt::format("{} {}", host.data(), core);
}

/// Rank 0 prints "rank R HOST CORE" of each.
void print_places(int rank, int ranks) {
  constexpr std::size_t kLongest = 96;
  std::array<char, kLongest> own{};
  own_place().copy(own.data(), kLongest - 1);
  std::vector<char> all(kLongest * static_cast<std::size_t>(ranks));
  MPI_Gather(own.data(), kLongest, MPI_CHAR, all.data(), kLongest, MPI_CHAR, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < ranks; ++i) {
    fmt::print("rank {} {}\n", i, all.data() + static_cast<std::size_t>(i) * kLongest);
  }
}

int run(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int repetitions = argc == 3 ? std::atoi(argv[2]) : 0;
  if (repetitions < 1) {
    if (rank == 0) {
      fmt::print(stderr,
                 "usage: postage-phases FILE REPETITIONS: sends the messages of FILE, of lines 'phase TIMES' and "
                 "'SOURCE TARGET BYTES', and prints where the ranks are and the seconds of each repetition\n");
    }
    return 2;
  }
  print_places(rank, ranks);
  Exchange exchange(own_phases(argv[1], rank));
  static_cast<void>(exchange.seconds());  // connects
  for (int i = 0; i < repetitions; ++i) {
    const double seconds = exchange.seconds();
    if (rank == 0) {
      fmt::print("seconds {}\n", seconds);
    }
  }
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("postage-phases", argc, argv, [&] { return postage::run(argc, argv); });
}
