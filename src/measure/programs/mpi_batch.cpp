#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/batch.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/transport/executor.hpp>
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <simgrid/barrier.h>
#include <simgrid/engine.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>

namespace postage {
namespace {

/// Between two repetitions: long enough for whatever is still under way to end. Simulated, it costs nothing.
constexpr Seconds kLead = 0.05;

/// Memory that only its size matters of: the simulator maps long stretches of it to the same few pages and moves no
/// bytes of messages from or to them, which else is most of what a simulation does.
class IdleMemory {
 public:
  /// At least so many bytes from now on.
  std::span<std::byte> of(Bytes bytes) {
    // Shorter ones it would treat as others.
    constexpr std::size_t kLeastMapped = 1 << 20;
    const auto size = std::max(static_cast<std::size_t>(bytes), kLeastMapped);
    if (size > size_) {
      memory_.reset();
      memory_.reset(static_cast<std::byte*>(SMPI_SHARED_MALLOC(size)));
      size_ = size;
    }
    return {memory_.get(), size};
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const { SMPI_SHARED_FREE(memory); }
  };

  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_ = 0;
};

/// Where the first so many ranks wait for one another between two repetitions. All ranks of a simulation are in one
/// process and run one at a time, so that they need no messages for it, of which hundreds of ranks would send more than
/// for many a collective.
struct CommonStart {
  explicit CommonStart(Rank ranks)
      : barrier(sg_barrier_init(static_cast<unsigned>(ranks))), ends(static_cast<std::size_t>(ranks)) {}
  sg_bar_t barrier;
  std::vector<Seconds> ends;  ///< [rank] of the last repetition
};

/// The same one for all ranks that ask; it is there until the process ends.
CommonStart& common_start_of(Rank ranks) {
  static std::map<Rank, CommonStart> starts;
  return starts.try_emplace(ranks, ranks).first->second;
}

std::size_t parse_repetitions(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 7 &&
                         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t repetitions = is_number ? std::stoul(text) : 0;
  if (repetitions < 1) {
    throw UsageError(fmt::format("repetitions: '{}' is not the most of them, like 45", text));
  }
  return repetitions;
}

/// In [0, 1], as if by chance: another one for each rank; every second repetition mirrors the one before, so that few
/// have the median of many.
double share_of(Rank rank, int repetition) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rank) * 1000003 + static_cast<std::uint64_t>(repetition / 2));
  const double share = static_cast<double>(random() >> 11U) * 0x1p-53;
  return repetition % 2 == 0 ? share : 1 - share;
}

/// Times many collectives in one simulation: each among the first so many ranks, from a common start to the end of the
/// slowest.
class Batch {
 public:
  Batch(std::vector<BatchPoint> points, std::size_t repetitions, Seconds spread, bool by_library)
      : points_(std::move(points)), repetitions_(repetitions), spread_(spread), by_library_(by_library) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    for (const BatchPoint& point : points_) {
      if (point.ranks > size_) {
        throw UsageError(fmt::format("{} ranks are asked for, but only {} were started", point.ranks, size_));
      }
      if (groups_.count(point.ranks) == 0) {
        add_group(point.ranks);
      }
    }
  }

  /// A line for each point, with the seconds of each repetition; rank 0 writes them. The library's own collectives may
  /// abort the simulation, so that of these the file has each as soon as it is known.
  void run(const std::filesystem::path& file) {
    std::string lines;
    for (const BatchPoint& point : points_) {
      if (rank_ < point.ranks) {
        lines += time_of(point);
        if (rank_ == 0 && by_library_) {
          write_file(file, lines);
        }
      }
    }
    if (rank_ == 0) {
      write_file(file, lines);
    }
  }

 private:
  void add_group(Rank ranks) {
    std::unique_ptr<MpiTransport>& transport = groups_[ranks];
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_ < ranks ? 0 : 1, rank_, &communicator);
    if (rank_ < ranks) {
      transport = std::make_unique<MpiTransport>(communicator);
      if (!transport->is_virtual()) {
        throw UsageError("batches are for simulations, where all ranks have one clock; use postage-measure here");
      }
    }
    MPI_Comm_free(&communicator);
  }

  std::string time_of(const BatchPoint& point) {
    Transport& transport = *groups_.at(point.ranks);
    RankProgram program(schedule_of(point.run, point.ranks), rank_,
                        {.commutative = true, .strides = point.run.strides});
    const RankBuffers buffers{send_.of(program.send_bytes()), receive_.of(program.receive_bytes()),
                              scratch_.of(program.scratch_bytes())};
    if (by_library_) {
      const LibraryCall call = library_call(point.run, buffers);
      return timed(transport, [&] { transport.call_library(call); });
    }
    const Reduction sum = [&](auto left, auto) {
      transport.account_for(static_cast<double>(point.run.strides.data_in(static_cast<Bytes>(left.size()))) /
                            sizeof(double));
    };
    return timed(transport, [&] { program.run(transport, buffers, sum); });
  }

  /// As often as needed, and where these differ by more than chance has it in a machine that keeps step, as allowed.
  template <typename Operation>
  std::string timed(Transport& transport, Operation&& operation) {
    CommonStart& common = common_start_of(transport.size());
    std::vector<Seconds> times;
    // Some come from a point of other ranks.
    sg_barrier_wait(common.barrier);
    while (!is_enough(times)) {
      const auto repetition = static_cast<int>(times.size());
      const Seconds start = simgrid_get_clock() + kLead;
      transport.wait_until(start + spread_ * share_of(transport.rank(), repetition));
      operation();
      common.ends[static_cast<std::size_t>(transport.rank())] = transport.now() - start;
      sg_barrier_wait(common.barrier);
      times.push_back(*std::max_element(common.ends.begin(), common.ends.end()));
    }
    return fmt::format("{}\n", fmt::join(times, " "));
  }

  [[nodiscard]] bool is_enough(const std::vector<Seconds>& times) const {
    return times.size() >= repetitions_ || is_median_settled(times, spread_);
  }

  std::vector<BatchPoint> points_;
  std::size_t repetitions_;  ///< at most
  Seconds spread_;
  bool by_library_;
  int rank_ = 0;
  int size_ = 1;
  std::map<Rank, std::unique_ptr<MpiTransport>> groups_;
  IdleMemory send_;
  IdleMemory receive_;
  IdleMemory scratch_;
};

constexpr const char* kUsage =
    "usage: postage-batch POINTS TIMES REPETITIONS SPREAD [library]: times each collective of the file POINTS, of "
    "lines like '16 bcast:binomial:64K', in one simulation, until its median is settled or as many REPETITIONS as "
    "given, like 45, are made, and writes a line of seconds for each to TIMES. In each repetition ranks start up to "
    "SPREAD, like 1us, after a common moment; with 'library' the MPI library's own collectives are timed\n";

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (words.size() < 4 || words.size() > 5) {
    if (rank == 0) {
      fmt::print(stderr, "{}", kUsage);
    }
    return 2;
  }
  const std::size_t repetitions = parse_repetitions(words[2]);
  const bool by_library = words.size() > 4 && words[4] == "library";
  Batch(parse_batch(read_file(words[0]), words[0]), repetitions, parse_seconds(words[3]), by_library).run(words[1]);
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("postage-batch", argc, argv, [&] { return postage::run(argc, argv); });
}
