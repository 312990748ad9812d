#include "measure/batch.hpp"
#include "measure/collective_data.hpp"
#include "measure/messages.hpp"
#include "measure/mpi_library_collective.hpp"
#include "transport/mpi/mpi_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/transport/executor.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

namespace postage {
namespace {

/// Between the news of a start and the start; simulated, so that it costs nothing.
constexpr Seconds kLead = 1;

/// Times many collectives in one simulation: each among the first so many ranks, from a common start to the end of the
/// slowest.
class Batch {
 public:
  Batch(std::vector<BatchPoint> points, int repetitions, bool by_library)
      : points_(std::move(points)), repetitions_(repetitions), by_library_(by_library) {
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

  /// One line for each point, with the seconds of each repetition; rank 0's result.
  std::string run() {
    std::string lines;
    for (const BatchPoint& point : points_) {
      if (rank_ < point.ranks) {
        lines += time_of(point);
      }
    }
    return lines;
  }

 private:
  struct Group {
    MPI_Comm communicator = MPI_COMM_NULL;
    std::unique_ptr<MpiTransport> transport;
  };

  void add_group(Rank ranks) {
    Group& group = groups_[ranks];
    MPI_Comm_split(MPI_COMM_WORLD, rank_ < ranks ? 0 : 1, rank_, &group.communicator);
    if (rank_ < ranks) {
      group.transport = std::make_unique<MpiTransport>(group.communicator);
      if (!group.transport->is_virtual()) {
        throw UsageError("batches are for simulations, where all ranks have one clock; use postage-measure here");
      }
    }
  }

  std::string time_of(const BatchPoint& point) {
    const Group& group = groups_.at(point.ranks);
    if (by_library_) {
      LibraryCollective collective(group.communicator, point.run);
      return timed(*group.transport, collective);
    }
    Transport& transport = *group.transport;
    const Bytes element = element_bytes_for(point.run.collective, point.run.bytes);
    RankProgram program(build_schedule(find_algorithm(point.run.collective, point.run.algorithm),
                                       {.ranks = point.ranks,
                                        .root = point.run.root,
                                        .bytes = point.run.bytes,
                                        .element_bytes = element,
                                        .segment_bytes = point.run.segment_bytes}),
                        rank_, {.commutative = true});
    send_.resize(static_cast<std::size_t>(program.send_bytes()));
    receive_.resize(static_cast<std::size_t>(program.receive_bytes()));
    const Reduction sum = [&, add = sum_of_elements(element)](auto left, auto right) {
      add(left, right);
      transport.account_for(static_cast<double>(left.size()) / sizeof(double));
    };
    return timed(transport, [&] { program.run(transport, {send_, receive_}, sum); });
  }

  template <typename Operation>
  std::string timed(Transport& transport, Operation&& operation) {
    std::string line;
    for (int i = 0; i < repetitions_; ++i) {
      const Seconds start = common_start(transport);
      transport.wait_until(start);
      operation();
      const Seconds longest = latest(transport, transport.now() - start);
      line += fmt::format("{}{}", i == 0 ? "" : " ", longest);
    }
    return line + "\n";
  }

  /// Rank 0's word, told to each.
  static Seconds common_start(Transport& transport) {
    if (transport.rank() != 0) {
      return receive_value<Seconds>(transport, 0, kStartTag);
    }
    const Seconds start = transport.now() + kLead;
    for (Rank rank = 1; rank < transport.size(); ++rank) {
      send_value(transport, start, rank, kStartTag);
    }
    return start;
  }

  static Seconds latest(Transport& transport, Seconds own) {
    if (transport.rank() != 0) {
      send_value(transport, own, 0, kEndTag);
      return own;
    }
    for (Rank rank = 1; rank < transport.size(); ++rank) {
      own = std::max(own, receive_value<Seconds>(transport, rank, kEndTag));
    }
    return own;
  }

  std::vector<BatchPoint> points_;
  int repetitions_;
  bool by_library_;
  int rank_ = 0;
  int size_ = 1;
  std::map<Rank, Group> groups_;
  std::vector<std::byte> send_;
  std::vector<std::byte> receive_;
};

constexpr const char* kUsage =
    "usage: postage-batch POINTS TIMES [REPETITIONS] [library]: times each collective of the file POINTS, of lines "
    "like '16 bcast:binomial:64K', in one simulation, and writes a line of seconds for each to TIMES; with 'library' "
    "by the MPI library's own collectives\n";

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (words.size() < 2 || words.size() > 4) {
    if (rank == 0) {
      fmt::print(stderr, "{}", kUsage);
    }
    MPI_Finalize();
    return 2;
  }
  const int repetitions = words.size() > 2 ? std::max(std::stoi(words[2]), 1) : 1;
  const bool by_library = words.size() > 3 && words[3] == "library";
  const std::string lines = Batch(parse_batch(read_file(words[0]), words[0]), repetitions, by_library).run();
  if (rank == 0) {
    write_file(words[1], lines);
  }
  MPI_Finalize();
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  try {
    return postage::run(argc, argv);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "postage-batch: {}\n", failure.what());
    std::fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}
