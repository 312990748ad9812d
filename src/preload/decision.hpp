#pragma once

#include "preload/probes/candidate.hpp"

#include <postage/base/units.hpp>
#include <postage/preload/entries.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace postage::preload {

/// What decisions about a communicator may depend on: it is equal on all its ranks.
struct CommunicatorShape {
  std::int32_t ranks = 1;
  std::int32_t nodes = 1;
  bool single_copy = true;
  bool more_ranks_than_cores = false;  ///< on the node of any rank
};

/// Sizes at which a collective is surely not replaced: below the first, from the second to below the third, and those
/// of some classes, bits of `classes`.
struct PassedSizes {
  static constexpr Bytes kNone = std::numeric_limits<Bytes>::min();
  static constexpr Bytes kEnd = std::numeric_limits<Bytes>::max();
  Bytes below = kNone;
  Bytes from = kEnd;
  Bytes to = kEnd;
  std::uint32_t classes = 0;

  [[nodiscard]] bool are_all() const { return below == kEnd; }
  [[nodiscard]] bool are_none() const { return below <= 0 && from == kEnd && classes == 0; }
  [[nodiscard]] bool contain(Bytes bytes) const {
    return bytes < below || (bytes >= from && bytes < to) || (classes >> ProbedClass(bytes).number() & 1U) != 0;
  }
};

/// For each blocking collective, the sizes at which it is replaced. A size is that of the signature: one block of
/// gather, scatter, allgather and alltoall, the whole vector of bcast and reductions, the mean block of reduce_scatter;
/// of allgatherv the longest block; of gatherv, scatterv and alltoallv of two ranks the (longer) block that goes from
/// one to the other, which both know. 0 for barrier, and for these of more ranks, who do not know one another's sizes.
class Decisions {
 public:
  /// Of spans that begin and end at these sizes, in turn; the last one may have no end.
  using Bounds = std::vector<Bytes>;

  /// Nothing is replaced.
  Decisions() { passed_.fill({.below = PassedSizes::kEnd}); }
  void set(Entry entry, Bounds bounds);
  [[nodiscard]] const Bounds& bounds(Entry entry) const { return bounds_[static_cast<std::size_t>(entry)]; }
  /// Calls of any size are looked at, since some are replaced for other reasons than their size.
  void look_at(Entry entry) { passed_[static_cast<std::size_t>(entry)] = {}; }
  /// Calls of the sizes in these spans are, but for those of `passed` classes; others pass through.
  void look_at(Entry entry, const Bounds& bounds, std::uint32_t passed = 0);

  /// What a call that passes through is asked first. Of several spans the first two.
  [[nodiscard]] const PassedSizes& passed(Entry entry) const { return passed_[static_cast<std::size_t>(entry)]; }
  [[nodiscard]] bool replaces(Entry entry, Bytes bytes) const {
    bool replaced = false;
    for (const Bytes bound : bounds_[static_cast<std::size_t>(entry)]) {
      replaced = replaced != (bytes >= bound);
    }
    return replaced;
  }

 private:
  std::array<PassedSizes, kCollectiveEntries> passed_{};
  std::array<Bounds, kCollectiveEntries> bounds_{};
};

/// What is replaced: nothing where there are more ranks than cores, since how fast any of it is then depends on which
/// rank has a core; by the file of decisions, if there is one, on several nodes; on one node, too, if it says anything
/// of that; otherwise by what was measured when the library was built. Of several nodes nothing was.
[[nodiscard]] Decisions decisions_for(const CommunicatorShape& shape);

/// Whether a collective can be replaced at all.
[[nodiscard]] bool is_possible(Entry entry, const CommunicatorShape& shape);

/// Whether probes find out what is faster, rather than what is built in or a file.
[[nodiscard]] bool are_probed(const CommunicatorShape& shape);

/// Shorter data are not probed, and what is built in decides: where a rank need not wait for the others, those who are
/// ahead have posted before the last one comes, and a probe sees none of what they took.
[[nodiscard]] Bytes least_probed(Entry entry, std::int32_t ranks);

/// DirectOptions::copied_bytes of a collective of which no probes say what is faster. Unless it is known to gain, what
/// is longer than a slot is not copied twice: at two ranks that took 0.3 to 6 times as long as by single copy, on one
/// machine or another and from one run to the next.
[[nodiscard]] Bytes built_in_copied_bytes(Entry entry, std::int32_t ranks);

/// Whether anything is.
[[nodiscard]] bool replaces_anything(const CommunicatorShape& shape);

}  // namespace postage::preload
