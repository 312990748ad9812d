#include "measure/programs/caller_memory.hpp"
#include "measure/programs/mpi_common_start.hpp"
#include "measure/programs/mpi_settings.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/freed_memory.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/campaign.hpp>
#include <postage/measure/choices.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

namespace postage {
namespace {

/// Of one choice in one round: long enough for the clock, short enough to alternate.
constexpr Seconds kBatch = 200e-6;
constexpr int kMostInner = 40;
/// Of each choice at a new point.
constexpr Seconds kWarmUp = 2e-3;
constexpr int kMostWarmUp = 100;
constexpr std::size_t kMostRounds = 120;
constexpr std::size_t kFirstDecision = 6;
constexpr std::size_t kDecideEvery = 6;

using Settings = std::vector<LibrarySetting>;

/// Communicators of the first so many ranks, each made while the library had certain settings: Open MPI reads its
/// variables when it makes a communicator, MPICH with every call.
class Communicators {
 public:
  Communicators(LibraryVariables& variables, Rank ranks) : variables_(variables) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : 1, rank, &group_);
  }
  ~Communicators() {
    own_.clear();
    MPI_Comm_free(&group_);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  MpiTransport& with(const Settings& settings) {
    std::unique_ptr<MpiTransport>& transport = own_[settings];
    if (!transport) {
      variables_.apply(settings);
      transport = std::make_unique<MpiTransport>(group_);
    }
    return *transport;
  }
  [[nodiscard]] MPI_Comm group() const { return group_; }

  /// Of all points of the group.
  CommonStart& common_start() {
    if (!start_) {
      start_.emplace(group_, with({}));
    }
    return *start_;
  }

 private:
  LibraryVariables& variables_;
  MPI_Comm group_ = MPI_COMM_NULL;
  std::map<Settings, std::unique_ptr<MpiTransport>> own_;
  std::optional<CommonStart> start_;
};

/// Times the choices of one point in turn.
class PointTiming {
 public:
  PointTiming(const ChoicePoint& point, Communicators& communicators, LibraryVariables& variables, CallerMemory& memory)
      : point_(point), variables_(variables), group_(communicators.group()), start_(communicators.common_start()) {
    choices_.push_back(point.standard);
    choices_.insert(choices_.end(), point.choices.begin(), point.choices.end());
    for (const Settings& settings : choices_) {
      transports_.push_back(&communicators.with(settings));
    }
    MPI_Comm_rank(group_, &rank_);
    buffers_ = memory.of(point.point, rank_);
    rounds_.resize(choices_.size());
    active_.assign(choices_.size(), true);
  }

  /// A line for each choice, the default's first: seconds by round. Rank 0's result.
  std::string run(Seconds budget) {
    const double start = MPI_Wtime();
    variables_.apply({});
    start_.prepare();
    warm_up();
    inner_ = calls_within(kBatch, kMostInner);
    for (std::size_t round = 0; round < kMostRounds; ++round) {
      time_round(round);
      if (rank_ == 0 && round + 1 >= kFirstDecision && (round + 1) % kDecideEvery == 0) {
        active_ = choices_left(rounds_, active_);
      }
      const bool is_over =
          rank_ == 0 && round + 1 >= kFirstDecision &&
          (MPI_Wtime() - start > budget || (round + 1 >= 2 * kFirstDecision && is_decided(rounds_, active_)));
      if (!agree(is_over)) {
        break;
      }
    }
    std::string lines;
    for (const ChoiceRounds& rounds : rounds_) {
      lines += fmt::format("{}\n", fmt::join(rounds.times, " "));
    }
    return lines;
  }

 private:
  /// Rank 0 says which choices stay, and whether to go on.
  bool agree(bool is_over) {
    std::vector<int> words(active_.begin(), active_.end());
    words.push_back(is_over ? 0 : 1);
    variables_.apply({});
    MPI_Bcast(words.data(), static_cast<int>(words.size()), MPI_INT, 0, group_);
    for (std::size_t i = 0; i < active_.size(); ++i) {
      active_[i] = words[i] != 0;
    }
    return words.back() != 0;
  }

  void time_round(std::size_t round) {
    const std::size_t count = choices_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t choice = round % 2 == 0 ? (i + round) % count : (count - 1 - i + round) % count;
      if (active_[choice]) {
        rounds_[choice].times.push_back(time_choice(choice, inner_));
      }
    }
  }

  /// A library's pages of shared memory are touched first by messages of new lengths: with MPICH by the first 64 or so
  /// of them, each of which then takes ten times as long, and more of them with one algorithm than with another.
  void warm_up() {
    const int calls = calls_within(kWarmUp, kMostWarmUp);
    for (std::size_t choice = 0; choice < choices_.size(); ++choice) {
      variables_.apply(choices_[choice]);
      const LibraryCall call = library_call(point_.point.run, buffers_);
      for (int i = 0; i < calls; ++i) {
        transports_[choice]->call_library(call);
      }
    }
  }

  /// How many calls of the longest choice take so long; agreed by all ranks.
  int calls_within(Seconds seconds, int most) {
    Seconds longest = 0;
    for (std::size_t choice = 0; choice < choices_.size(); ++choice) {
      longest = std::max(longest, time_choice(choice, 3));
    }
    int calls = std::clamp(static_cast<int>(std::lround(seconds / std::max(longest, 1e-9))), 1, most);
    variables_.apply({});
    MPI_Bcast(&calls, 1, MPI_INT, 0, group_);
    return calls;
  }

  /// The median of the slowest rank's times, after a call that warms up: long messages take up to four times as long
  /// in the first call after another algorithm's, whichever that was. On rank 0.
  Seconds time_choice(std::size_t choice, int repetitions) {
    variables_.apply(choices_[choice]);
    const LibraryCall call = library_call(point_.point.run, buffers_);
    static_cast<void>(start_.wait());
    transports_[choice]->call_library(call);
    std::vector<double> own(static_cast<std::size_t>(repetitions));
    std::vector<double> late(own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      const Seconds start = start_.wait();
      late[i] = start_.was_late() ? 1 : 0;
      transports_[choice]->call_library(call);
      own[i] = start_.now() - start;
    }
    std::vector<double> longest(own.size());
    std::vector<double> any_late(own.size());
    MPI_Reduce(own.data(), longest.data(), repetitions, MPI_DOUBLE, MPI_MAX, 0, group_);
    MPI_Reduce(late.data(), any_late.data(), repetitions, MPI_DOUBLE, MPI_MAX, 0, group_);
    return rank_ == 0 ? median_of_punctual(longest, any_late) : 0;
  }

  /// Rank 0's: without repetitions that some rank came too late for, if there are others; the next ones wait for
  /// longer.
  Seconds median_of_punctual(const std::vector<double>& times, const std::vector<double>& late) {
    std::vector<double> punctual;
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (late[i] == 0) {
        punctual.push_back(times[i]);
      }
    }
    if (2 * punctual.size() < times.size()) {
      start_.say_earlier();
    }
    return median(punctual.empty() ? times : punctual);
  }

  const ChoicePoint& point_;
  LibraryVariables& variables_;
  MPI_Comm group_;
  CommonStart& start_;
  int rank_ = 0;
  int inner_ = 1;
  std::vector<Settings> choices_;
  std::vector<MpiTransport*> transports_;
  RankBuffers buffers_;
  std::vector<ChoiceRounds> rounds_;
  std::vector<bool> active_;
};

std::string time_points(const std::vector<ChoicePoint>& points, Seconds budget) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  LibraryVariables variables;
  CallerMemory memory(points, rank);
  std::map<Rank, std::unique_ptr<Communicators>> groups;
  std::string lines;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Rank ranks = points[i].point.ranks;
    if (ranks > size) {
      throw UsageError(fmt::format("{} ranks are asked for, but only {} were started", ranks, size));
    }
    std::unique_ptr<Communicators>& group = groups[ranks];
    if (!group) {
      variables.apply({});
      group = std::make_unique<Communicators>(variables, ranks);
    }
    if (rank < ranks) {
      lines += PointTiming(points[i], *group, variables, memory).run(budget / static_cast<double>(points.size()));
    }
    variables.apply({});
    if (rank == 0) {
      fmt::print(stderr, "{}{} 0 0\n", kProgressMark, static_cast<double>(i + 1) / static_cast<double>(points.size()));
    }
  }
  groups.clear();
  return lines;
}

constexpr const char* kChoicesUsage =
    "usage: postage-choices POINTS TIMES BUDGET [keep]: times collectives of the MPI library with different settings "
    "of its "
    "variables, in turn, for about BUDGET, like 30s, in all. POINTS has lines like '2 bcast:binomial:64K; "
    "VARIABLE=VALUE VARIABLE=VALUE; ...', a part for each choice; TIMES gets a line of seconds for the default and for "
    "each choice. Without choices the library is timed as the environment sets it. keep: malloc keeps what is freed, "
    "like in a program that has long freed large blocks\n";

/// True where a line has a choice; a file that cannot be read is refused later, by a rank that can say so.
bool asks_for_choices(int argc, char** argv) {
  return argc < 2 || !std::filesystem::exists(argv[1]) || read_file(argv[1]).find(';') != std::string::npos;
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool keeps = words.size() == 4 && words.back() == "keep";
  if (words.size() != 3 && !keeps) {
    if (rank == 0) {
      fmt::print(stderr, "{}", kChoicesUsage);
    }
    return 2;
  }
  if (keeps) {
    // A library that allocates in each call, as for reductions, gets new pages in each, or pages that it had before, by
    // what the program freed until then.
    keep_freed_memory();
  }
  const std::string lines = time_points(parse_choices(read_file(words[0]), words[0]), parse_seconds(words[2]));
  if (rank == 0) {
    write_file(words[1], lines);
  }
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  // Without it Open MPI looks at none of its variables for algorithms; it must be set before MPI starts. Where there is
  // nothing to choose, the library is timed as the environment sets it.
  if (postage::asks_for_choices(argc, argv)) {
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
  }
  return postage::run_mpi_program("postage-choices", argc, argv, [&] { return postage::run(argc, argv); });
}
