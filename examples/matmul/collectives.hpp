#pragma once

#include <postage/transport/executor.hpp>
#include <postage/transport/mpi/collectives.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <mpi.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace matmul {

/// Blocks of numbers of all ranks, one after another.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> offsets;
  int total = 0;

  explicit Blocks(std::vector<int> of_ranks);
};

/// The collectives that the multiplication needs, from rank 0 of a communicator and to it: by MPI's own, or along
/// trees.
class Collectives {
 public:
  /// `trees`: a folder with scatterv.json, gatherv.json and bcast.json, as postage optimize tree writes them, of those
  /// that go along trees; `among` stands before ".json". `bcast`: an algorithm of postage and its segments' bytes, like
  /// "binary:65536". What is empty is MPI's own.
  Collectives(MPI_Comm communicator, const std::filesystem::path& trees, const std::string& bcast,
              const std::string& among = "");

  void scatterv(const double* all, double* own, const Blocks& blocks);
  void gatherv(const double* own, double* all, const Blocks& blocks);
  void bcast(double* numbers, int count);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }

 private:
  void read(const std::filesystem::path& file, const std::string& name);
  /// False where there is no tree for it.
  bool run(const std::string& name, const double* send, std::size_t send_count, double* receive,
           std::size_t receive_count);

  MPI_Comm communicator_;
  int rank_ = 0;
  int ranks_ = 1;
  std::unique_ptr<postage::MpiTransport> transport_{};
  std::map<std::string, postage::RankProgram> programs_{};
  std::string bcast_;
  std::unique_ptr<postage::MpiCollectives> postage_{};
};

}  // namespace matmul
