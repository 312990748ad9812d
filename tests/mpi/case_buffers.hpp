#pragma once

#include "mpi/comparison.hpp"

#include <cstddef>
#include <vector>

namespace postage {

using Buffer = std::vector<std::byte>;

/// Blocks of a buffer, in elements.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> displacements;

  [[nodiscard]] int end() const {
    int end = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      end = std::max(end, displacements[i] + counts[i]);
    }
    return end;
  }
};

/// One rank's buffers for a comparison: what MPI's conventions ask for, filled, with guard elements around.
class CaseBuffers {
 public:
  explicit CaseBuffers(const Comparison& comparison);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] std::size_t extent() const { return extent_; }
  /// Elements of block i of a collective that has blocks.
  [[nodiscard]] int block_count(int i) const;
  [[nodiscard]] bool works_in_place() const;

  /// What the send and the receive buffer hold by MPI's conventions, without MPI_IN_PLACE.
  [[nodiscard]] const Blocks& sent() const { return sent_; }
  [[nodiscard]] const Blocks& received() const { return received_; }

  /// Behind the guard.
  [[nodiscard]] std::byte* first(Buffer& buffer) const;
  [[nodiscard]] const std::byte* first(const Buffer& buffer) const;

  /// Empty where `receive` holds the same result as `theirs`, and is `before` beside it; otherwise what is wrong.
  [[nodiscard]] std::string find_mistake(const Buffer& before, const Buffer& theirs) const;

  Buffer send;
  Buffer receive;

 private:
  [[nodiscard]] bool is(Collective collective) const { return c_.algorithm->collective == collective; }
  [[nodiscard]] bool cuts_vector() const;
  [[nodiscard]] int pair_count(int source, int target) const;
  [[nodiscard]] Blocks blocks_of(int count, const std::function<int(int)>& count_of) const;
  void lay_out();
  [[nodiscard]] Buffer buffer_for(int elements) const;
  void fill();
  void fill_in_place();
  void write(Buffer& buffer, const Blocks& blocks, int i) const;
  [[nodiscard]] Blocks defined() const;
  [[nodiscard]] Buffer content(const Buffer& buffer) const;
  [[nodiscard]] Buffer with_content(Buffer before, const Buffer& after) const;

  const Comparison& c_;
  int rank_ = 0;
  int ranks_ = 1;
  bool is_root_ = false;
  std::size_t extent_ = 1;
  Blocks sent_;
  Blocks received_;
};

}  // namespace postage
