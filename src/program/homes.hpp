#pragma once

#include "program/parts.hpp"

#include <postage/program/scratch_pool.hpp>

#include <map>
#include <vector>

namespace postage {

/// Where a rank puts what arrives: in the receive buffer, in the mirror, or at a place in scratch memory until it has
/// been sent on. Rounds are counted from 0.
class Homes {
 public:
  /// Visits the rank's rounds once, to know when blocks are sent for the last time.
  Homes(const Schedule& schedule, Rank rank, const RankLayout& layout, ScratchPool& scratch);

  /// True where the rank must end with all of it.
  [[nodiscard]] bool are_results(const Ranges& ranges) const;
  /// Where of the range the results belong.
  [[nodiscard]] Parts of_results(const Ranges& ranges) const { return parts_of(results_, ranges); }

  /// Homes of a part of a message that arrives in `round`. A message that brings results only goes to their places; a
  /// mixed one stays together elsewhere.
  [[nodiscard]] Parts of(ByteRange part, bool message_is_results, std::size_t round);
  [[nodiscard]] Parts in_mirror(ByteRange part);

  /// What has been sent for the last time in `round`; its places are given back.
  [[nodiscard]] Parts passed(std::size_t round);

  /// The part of the mirror that is used.
  [[nodiscard]] ByteRange mirror() const { return mirror_; }

 private:
  void append_mirror(ByteRange part, Parts& homes);
  void append_passing(ByteRange part, std::size_t round, Parts& homes);
  void pass(ByteRange part, std::size_t last_round, Parts& homes);

  /// A rank of an alltoall has no room for all blocks; one of a reduce_scatter may pass on as many bytes as it is
  /// given, but in a ring only a few at a time. Elsewhere the mirror is as large as what passes through together.
  bool blocks_pass_;
  bool blocks_pass_apart_;
  Bytes total_;
  Bytes mirror_begin_;
  Values results_;
  IntervalMap<std::size_t> last_sends_;  ///< where blocks pass: the last round in which each byte is sent
  ScratchPool& scratch_;
  std::map<std::size_t, Parts> passing_;  ///< by the round in which they are last sent
  ByteRange mirror_{};
};

}  // namespace postage
