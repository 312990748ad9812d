// The experiments over MPI: mpirun -n RANKS postage-bench-FLAVOUR [EXPERIMENTS [SIZES [SECONDS]]]. Ranks bind
// themselves to the hardware threads that POSTAGE_BENCH_PUS lists, where it is set.
#include "bench/programs/plan.hpp"
#include "bench/programs/pus.hpp"

#include <mpi.h>

#include <functional>
#include <memory>

namespace postage::bench {
namespace {

class MpiBackend {
 public:
  MpiBackend() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    bind_as_given(rank_);
  }

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  void send(const void* data, std::size_t bytes, int target) {
    MPI_Send(data, static_cast<int>(bytes), MPI_BYTE, target, 1, MPI_COMM_WORLD);
  }
  void receive(void* data, std::size_t bytes, int source) {
    MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, source, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  void start_send(const void* data, std::size_t bytes, int target) {
    MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, target, 1, MPI_COMM_WORLD, &requests_.emplace_back());
  }
  void start_receive(void* data, std::size_t bytes, int source) {
    MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, source, 1, MPI_COMM_WORLD, &requests_.emplace_back());
  }
  void wait_all() {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
  }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

  /// The library's own.
  [[nodiscard]] std::function<void()> collective(const std::string& name, std::size_t bytes) {
    const auto ranks = static_cast<std::size_t>(size_);
    const auto send = std::make_shared<std::vector<std::byte>>(name == "alltoall" ? bytes * ranks : bytes);
    const auto receive = std::make_shared<std::vector<std::byte>>(name == "allreduce" ? bytes : bytes * ranks);
    const int count = static_cast<int>(bytes);
    if (name == "alltoall") {
      return [=] { MPI_Alltoall(send->data(), count, MPI_BYTE, receive->data(), count, MPI_BYTE, MPI_COMM_WORLD); };
    }
    if (name == "allgather") {
      return [=] { MPI_Allgather(send->data(), count, MPI_BYTE, receive->data(), count, MPI_BYTE, MPI_COMM_WORLD); };
    }
    return [=] { MPI_Allreduce(send->data(), receive->data(), count / 4, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD); };
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  std::vector<MPI_Request> requests_;
};

}  // namespace
}  // namespace postage::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  postage::bench::MpiBackend backend;
  run_plan(backend, postage::bench::parse_plan(argc, argv));
  MPI_Finalize();
  return 0;
}
