// Every algorithm that can do the number of ranks, and the MPI library's own collectives, on strided buffers: the
// promised bytes must be in the pieces, and nothing between them may be written. And on a few single bytes.
#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/transport/mpi/mpi_program.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>

#include <cstdio>

namespace postage {
namespace {

class StridedRuns {
 public:
  explicit StridedRuns(MpiTransport& transport) : transport_(transport) {}

  int check_all() {
    for (const Strides& strides : {Strides{4, 8}, Strides{8, 64}, Strides{3, 5}, Strides{16, 512}, Strides{24, 24}}) {
      for (const Bytes pieces : {0, 1, 29, 1000}) {
        check_all(strides, pieces * strides.run);
      }
    }
    for (const Bytes bytes : {1, 29}) {  // no doubles, which a library reduces in another way
      check_all(Strides{}, bytes);
    }
    return checks_;
  }

 private:
  void check_all(const Strides& strides, Bytes bytes) {
    for (const Algorithm& algorithm : algorithms()) {
      if (can_do(algorithm, transport_.size())) {
        check({.collective = algorithm.collective,
               .algorithm = std::string(algorithm.name),
               .bytes = algorithm.collective == Collective::kBarrier ? 0 : bytes,
               .segment_bytes = algorithm.segmentable && bytes > 1000 ? 7 * strides.run : 0,
               .root = has_root(algorithm.collective) ? transport_.size() - 1 : 0,
               .strides = strides});
      }
    }
  }

  void check(const CollectiveRun& run) {
    const Schedule schedule = schedule_of(run, transport_.size());
    RankProgram program(schedule, transport_.rank(), {.commutative = true, .strides = run.strides});
    CollectiveData data(schedule, element_bytes_for(run), transport_.rank(), program, run.strides);
    for (int repeat = 0; repeat < 2; ++repeat) {
      program.run(transport_, data.buffers(), data.sum());
    }
    data.check();
    ++checks_;
    if (!transport_.is_virtual() || run.strides.is_contiguous()) {
      CollectiveData by_library(schedule, element_bytes_for(run), transport_.rank(), program, run.strides);
      const LibraryCall call = library_call(run, by_library.buffers());
      transport_.call_library(call);
      // Sums of characters overflow here, which MPI leaves open: Open MPI's stop at 127.
      const bool is_open = is_reduction(run.collective) && run.strides.is_contiguous() && call.element_bytes == 1;
      try {
        is_open ? void() : by_library.check();
      } catch (const Error& error) {
        throw Error(fmt::format("the library's {}: {}", format_collective_run(run), error.what()));
      }
      ++checks_;
    }
  }

  MpiTransport& transport_;
  int checks_ = 0;
};

int run() {
  MpiTransport transport(MPI_COMM_WORLD);
  const int checks = StridedRuns(transport).check_all();
  if (transport.rank() == 0) {
    fmt::print("{} strided collectives among {} ranks\n", checks, transport.size());
  }
  return checks > 500 ? 0 : 1;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("strided-collectives", argc, argv, postage::run);
}
