// Scatterv, gatherv and allgatherv of blocks of given sizes, with gaps between them, and now and then of other sizes.
//   irregular ROOT BYTES...      one size a rank
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kTimes = 40;
constexpr int kGap = 3;

struct Blocks {
  std::vector<int> counts;
  std::vector<int> offsets;
  int bytes = 0;
};

Blocks blocks_of(const std::vector<int>& counts) {
  Blocks blocks{.counts = counts};
  for (const int count : counts) {
    blocks.offsets.push_back(blocks.bytes + kGap);
    blocks.bytes += count + kGap;
  }
  return blocks;
}

/// Of byte i of a rank's block.
char value_of(int time, int rank, int i) {
  return static_cast<char>(time * 31 + rank * 7 + i);
}

std::vector<char> all_values(const Blocks& blocks, int time) {
  std::vector<char> all(static_cast<std::size_t>(blocks.bytes), -1);
  for (std::size_t rank = 0; rank < blocks.counts.size(); ++rank) {
    for (int i = 0; i < blocks.counts[rank]; ++i) {
      all[static_cast<std::size_t>(blocks.offsets[rank] + i)] = value_of(time, static_cast<int>(rank), i);
    }
  }
  return all;
}

std::vector<char> own_values(const Blocks& blocks, int time, int rank) {
  std::vector<char> own;
  for (int i = 0; i < blocks.counts[static_cast<std::size_t>(rank)]; ++i) {
    own.push_back(value_of(time, rank, i));
  }
  return own;
}

bool scatters(const Blocks& blocks, int time, int rank, int root) {
  const std::vector<char> expected = own_values(blocks, time, rank);
  const std::vector<char> all = all_values(blocks, time);
  std::vector<char> own(expected.size());
  const bool in_place = rank == root && time % 2 == 1;
  MPI_Scatterv(all.data(), blocks.counts.data(), blocks.offsets.data(), MPI_CHAR, in_place ? MPI_IN_PLACE : own.data(),
               static_cast<int>(own.size()), MPI_CHAR, root, MPI_COMM_WORLD);
  return in_place || own == expected;
}

/// Without what lies between the blocks: nothing may be written there.
bool gathers(const Blocks& blocks, int time, int rank, int root, bool to_all) {
  const std::vector<char> expected = all_values(blocks, time);
  const bool receives = to_all || rank == root;
  const bool in_place = receives && time % 2 == 1;
  std::vector<char> own = own_values(blocks, time, rank);
  std::vector<char> all(expected.size(), -1);
  std::copy(own.begin(), own.end(), all.begin() + blocks.offsets[static_cast<std::size_t>(rank)]);
  const void* const send = in_place ? MPI_IN_PLACE : own.data();
  const auto count = static_cast<int>(own.size());
  if (to_all) {
    MPI_Allgatherv(send, count, MPI_CHAR, all.data(), blocks.counts.data(), blocks.offsets.data(), MPI_CHAR,
                   MPI_COMM_WORLD);
  } else {
    MPI_Gatherv(send, count, MPI_CHAR, all.data(), blocks.counts.data(), blocks.offsets.data(), MPI_CHAR, root,
                MPI_COMM_WORLD);
  }
  return !receives || all == expected;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int root = std::atoi(argv[1]);
  std::vector<int> counts;
  for (int i = 2; i < argc; ++i) {
    counts.push_back(std::atoi(argv[i]));
  }
  int wrong = 0;
  for (int time = 0; time < kTimes; ++time) {
    std::vector<int> here = counts;
    std::rotate(here.begin(), here.begin() + (time % 4 == 3 ? 1 : 0), here.end());
    const Blocks blocks = blocks_of(here);
    wrong += scatters(blocks, time, rank, root) ? 0 : 1;
    wrong += gathers(blocks, time, rank, root, false) ? 0 : 1;
    wrong += gathers(blocks, time, rank, root, true) ? 0 : 1;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) {
    std::printf("results that are wrong: %d\n", wrong);
  }
  MPI_Finalize();
  return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
