#pragma once

#include <postage/base/units.hpp>
#include <postage/schedule/schedule.hpp>

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace postage::preload {

/// out = left op right; see DirectGroup's ReduceOperation.
struct ScheduleOperation {
  Bytes element_bytes = 1;
  bool commutative = true;
  void (*combine)(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                  Bytes bytes) = nullptr;
  const void* context = nullptr;
};

/// A collective to be carried out; fields as in ScheduleRequest, buffers as in RankBuffers.
struct ScheduleTask {
  Collective collective = Collective::kBarrier;
  Rank root = 0;
  Bytes bytes = 0;
  std::vector<Bytes> block_bytes{};
  std::span<const std::byte> send{};
  std::span<std::byte> receive{};
  ScheduleOperation operation{};
};

/// A communicator's ranks, which carry out schedules by MPI's point-to-point messages.
class ScheduleRunner {
 public:
  /// The schedule of a task among so many ranks, the same on all of them; buffers are not to be looked at.
  using Build = std::function<Schedule(const ScheduleTask&, Rank ranks)>;

  /// Takes the communicator, whose messages are these alone.
  ScheduleRunner(MPI_Comm communicator, Build build);
  ~ScheduleRunner();
  ScheduleRunner(const ScheduleRunner&) = delete;
  ScheduleRunner& operator=(const ScheduleRunner&) = delete;

  [[nodiscard]] Rank ranks() const;
  void run(const ScheduleTask& task);

 private:
  class Messages;
  struct Prepared;
  Prepared& prepare(const ScheduleTask& task);

  MPI_Comm communicator_;
  Build build_;
  std::unique_ptr<Messages> messages_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
  std::size_t next_ = 0;
};

}  // namespace postage::preload
