#pragma once

#include <postage/base/units.hpp>
#include <postage/schedule/algorithms.hpp>

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace postage::preload {

/// Which schedule to run among the leaders.
struct LeaderChoice {
  const Algorithm* algorithm = nullptr;
  Bytes segment = 0;
  ParameterValues parameters{};
};

/// out = left op right; see DirectGroup's Reduction.
struct LeaderOperation {
  Bytes element_bytes = 1;
  bool commutative = true;
  void (*combine)(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                  Bytes bytes) = nullptr;
  const void* context = nullptr;
};

/// A collective among the leaders; fields as in ScheduleRequest, buffers as in RankBuffers.
struct LeaderTask {
  Collective collective = Collective::kBarrier;
  Rank root = 0;
  Bytes bytes = 0;
  std::vector<Bytes> block_bytes{};
  std::span<const std::byte> send{};
  std::span<std::byte> receive{};
  LeaderOperation operation{};
};

/// The first ranks of some nodes, one of which this process is: they carry out schedules by MPI's point-to-point
/// messages on a communicator of their own.
class Leaders {
 public:
  using Choose = std::function<LeaderChoice(Collective, Bytes)>;

  /// Takes the communicator, whose ranks are the nodes.
  Leaders(MPI_Comm communicator, Choose choose);
  ~Leaders();
  Leaders(const Leaders&) = delete;
  Leaders& operator=(const Leaders&) = delete;

  void run(const LeaderTask& task);

 private:
  class Messages;
  struct Prepared;
  Prepared& prepare(const LeaderTask& task);

  MPI_Comm communicator_;
  Choose choose_;
  std::unique_ptr<Messages> messages_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
  std::size_t next_ = 0;
};

/// A schedule for any number of ranks, in the order of the ranks where the operation asks for that.
[[nodiscard]] const Algorithm& usual_algorithm(Collective collective, Rank ranks, bool commutative);

}  // namespace postage::preload
