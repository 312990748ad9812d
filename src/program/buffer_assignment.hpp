#pragma once

#include "program/iovec.hpp"

#include <postage/program/scratch_pool.hpp>

#include <map>
#include <vector>

namespace postage {

/// Assigns memory to what a rank receives: the receive buffer, the staging area, or scratch memory until it has been
/// sent on. Rounds are counted from 0.
class BufferAssignment {
 public:
  /// Visits the rank's rounds once, to know when blocks are sent for the last time.
  BufferAssignment(const Schedule& schedule, Rank rank, const RankLayout& layout, ScratchPool& scratch);

  /// True where the rank must end with all of it.
  [[nodiscard]] bool are_results(const Ranges& ranges) const;
  /// The receive buffer's addresses of the results among the ranges.
  [[nodiscard]] IovecSegments of_results(const Ranges& ranges) const { return iovec_of(results_, ranges); }

  /// Memory for a range of a message that arrives in `round`. A message of results only goes to the receive buffer; one
  /// that has other blocks too stays contiguous elsewhere.
  [[nodiscard]] IovecSegments assign(ByteRange range, bool message_is_results, std::size_t round);
  [[nodiscard]] IovecSegments in_staging(ByteRange range);

  /// What has been sent for the last time in `round`; its scratch memory is given back.
  [[nodiscard]] IovecSegments passed(std::size_t round);

  /// The range of the staging area that is used.
  [[nodiscard]] ByteRange staging() const { return staging_; }

 private:
  void append_staging(ByteRange range, IovecSegments& segments);
  void append_passing(ByteRange range, std::size_t round, IovecSegments& segments);
  void pass(ByteRange range, std::size_t last_round, IovecSegments& segments);

  /// A rank of an alltoall has no room for all blocks; one of a reduce_scatter may pass on as many bytes as it is
  /// given, but in a ring only a few at a time. Elsewhere the staging area is as large as what is held at the same
  /// time.
  bool blocks_pass_;
  bool blocks_pass_apart_;
  Bytes total_;
  Bytes staging_begin_;
  Values results_;
  IntervalMap<std::size_t> last_sends_;  ///< where blocks pass: the last round in which each byte is sent
  ScratchPool& scratch_;
  std::map<std::size_t, IovecSegments> passing_;  ///< by the round in which they are last sent
  ByteRange staging_{};
};

}  // namespace postage
