#include "preload/schedules/schedule_runner.hpp"

#include "preload/job.hpp"

#include <postage/base/error.hpp>
#include <postage/transport/executor.hpp>

#include <algorithm>
#include <climits>
#include <optional>

namespace postage::preload {
namespace {

/// Programs of so many different calls are kept.
constexpr std::size_t kKept = 64;

void check_message(int result) {
  if (result != MPI_SUCCESS) {
    throw Error("a message of a schedule failed");
  }
}

}  // namespace

/// A message longer than MPI's counts goes in parts, which arrive in order.
class ScheduleRunner::Messages final : public Transport {
 public:
  explicit Messages(MPI_Comm communicator) : communicator_(communicator) {
    PMPI_Comm_rank(communicator, &rank_);
    PMPI_Comm_size(communicator, &size_);
  }
  [[nodiscard]] std::int32_t rank() const override { return rank_; }
  [[nodiscard]] std::int32_t size() const override { return size_; }
  [[nodiscard]] std::string host() const override { return {}; }
  [[nodiscard]] int bound_pu() const override { return -1; }
  [[nodiscard]] std::string implementation() const override { return {}; }
  void send(std::span<const std::byte> message, std::int32_t target, int tag) override {
    const Request request = start_send(message, target, tag);
    wait_all({&request, 1});
  }
  void receive(std::span<std::byte> message, std::int32_t source, int tag) override {
    const Request request = start_receive(message, source, tag);
    wait_all({&request, 1});
  }
  [[nodiscard]] Request start_send(std::span<const std::byte> message, std::int32_t target, int tag) override {
    return start(message, [&](const std::byte* part, int bytes, MPI_Request* request) {
      return PMPI_Isend(part, bytes, MPI_BYTE, target, tag, communicator_, request);
    });
  }
  [[nodiscard]] Request start_receive(std::span<std::byte> message, std::int32_t source, int tag) override {
    return start(message, [&](std::byte* part, int bytes, MPI_Request* request) {
      return PMPI_Irecv(part, bytes, MPI_BYTE, source, tag, communicator_, request);
    });
  }
  void wait_all(std::span<const Request> requests) override {
    for (const Request request : requests) {
      std::vector<MPI_Request>& parts = pending_[request];
      check_message(PMPI_Waitall(static_cast<int>(parts.size()), parts.data(), MPI_STATUSES_IGNORE));
      parts.clear();
      free_.push_back(request);
    }
  }
  void barrier() override { check_message(PMPI_Barrier(communicator_)); }
  [[nodiscard]] Seconds now() const override { return preload::now(); }
  [[nodiscard]] bool has_global_clock() const override { return false; }
  [[nodiscard]] bool is_virtual() const override { return false; }
  void wait_until(Seconds /*time*/) override {}

 private:
  template <typename Byte, typename Begin>
  Request start(std::span<Byte> message, const Begin& begin) {
    constexpr std::size_t kMost = std::size_t{1} << 30;
    const Request request = take_slot();
    do {
      const std::size_t part = std::min(message.size(), kMost);
      pending_[request].emplace_back();
      check_message(begin(message.data(), static_cast<int>(part), &pending_[request].back()));
      message = message.subspan(part);
    } while (!message.empty());
    return request;
  }
  Request take_slot() {
    if (free_.empty()) {
      pending_.emplace_back();
      return pending_.size() - 1;
    }
    const Request slot = free_.back();
    free_.pop_back();
    return slot;
  }

  MPI_Comm communicator_;
  int rank_ = 0;
  int size_ = 1;
  std::vector<std::vector<MPI_Request>> pending_;
  std::vector<Request> free_;
};

/// A call's program, and what it is the program of.
struct ScheduleRunner::Prepared {
  Collective collective;
  Rank root;
  Bytes bytes;
  Bytes element_bytes;
  bool commutative;
  std::vector<Bytes> block_bytes;
  RankProgram program;

  [[nodiscard]] bool is_for(const ScheduleTask& task) const {
    return collective == task.collective && root == task.root && bytes == task.bytes &&
           element_bytes == task.operation.element_bytes && commutative == task.operation.commutative &&
           block_bytes == task.block_bytes;
  }
};

ScheduleRunner::ScheduleRunner(MPI_Comm communicator, Build build)
    : communicator_(communicator), build_(std::move(build)), messages_(std::make_unique<Messages>(communicator)) {}

ScheduleRunner::~ScheduleRunner() {
  messages_.reset();
  // In MPI_Finalize the library frees it itself.
  if (job().is_running) {
    PMPI_Comm_free(&communicator_);
  }
}

Rank ScheduleRunner::ranks() const {
  return messages_->size();
}

ScheduleRunner::Prepared& ScheduleRunner::prepare(const ScheduleTask& task) {
  for (const auto& known : prepared_) {
    if (known->is_for(task)) {
      return *known;
    }
  }
  const Schedule schedule = build_(task, messages_->size());
  auto made = std::make_unique<Prepared>(Prepared{
      task.collective, task.root, task.bytes, task.operation.element_bytes, task.operation.commutative,
      task.block_bytes, RankProgram(schedule, messages_->rank(), {.commutative = task.operation.commutative})});
  if (prepared_.size() < kKept) {
    prepared_.push_back(std::move(made));
    return *prepared_.back();
  }
  next_ = (next_ + 1) % kKept;
  prepared_[next_] = std::move(made);
  return *prepared_[next_];
}

void ScheduleRunner::run(const ScheduleTask& task) {
  const ScheduleOperation& operation = task.operation;
  const auto combine = [&operation](std::span<const std::byte> left, std::span<std::byte> right) {
    operation.combine(operation.context, left.data(), right.data(), right.data(), static_cast<Bytes>(right.size()));
  };
  prepare(task).program.run(*messages_, {.send = task.send, .receive = task.receive},
                            operation.combine != nullptr ? postage::Reduction(combine) : postage::Reduction());
}

}  // namespace postage::preload
