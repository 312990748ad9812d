#pragma once

#include <postage/measure/collective_run.hpp>
#include <postage/transport/executor.hpp>

#include <cstddef>
#include <vector>

namespace postage {

/// Bytes of an element that a timed reduction adds up: a double where the message is a whole number of them, otherwise
/// a byte.
[[nodiscard]] Bytes element_bytes_for(Collective collective, Bytes bytes);
/// The same of a run, whose pieces hold whole elements.
[[nodiscard]] Bytes element_bytes_for(const CollectiveRun& run);

/// The schedule of a run that is timed, among so many ranks. Throws UsageError where the algorithm cannot do it.
[[nodiscard]] Schedule schedule_of(const CollectiveRun& run, Rank ranks);

/// Adds elements of this size: doubles or single bytes, in pieces as a program's strides say.
[[nodiscard]] Reduction sum_of_elements(Bytes element_bytes, const Strides& strides = {});

/// What the library's own collective needs to do the run with these buffers.
[[nodiscard]] LibraryCall library_call(const CollectiveRun& run, const RankBuffers& buffers);

/// One rank's buffers for a timed collective, whose contents say where they came from.
class CollectiveData {
 public:
  /// Buffers as large as the program needs, filled with what the rank gives; bytes between the pieces of strided ones
  /// with a mark.
  CollectiveData(const Schedule& schedule, Bytes element_bytes, Rank rank, const RankProgram& program,
                 const Strides& strides = {});

  [[nodiscard]] RankBuffers buffers() { return {send_, receive_}; }

  /// Adds elements.
  [[nodiscard]] Reduction sum() const;

  /// Throws Error where the receive buffer does not hold what the collective promises, or a byte between its pieces was
  /// written.
  void check() const;

 private:
  /// The sum over ranks first, ..., last of what they give to bytes [begin, end) of the blocks; of one rank in the
  /// collectives that only copy.
  struct Origin {
    Rank first = 0;
    Rank last = 0;
    Bytes begin = 0;
    Bytes end = 0;
  };

  [[nodiscard]] Origin block(Rank owner, Index index) const;
  [[nodiscard]] Origin all(Rank first, Rank last) const;
  [[nodiscard]] std::vector<Origin> given() const;
  [[nodiscard]] std::vector<Origin> promised() const;
  /// In memory: in pieces, with marks between them.
  [[nodiscard]] std::vector<std::byte> content_of(const std::vector<Origin>& origins) const;
  [[nodiscard]] std::vector<std::byte> data_of(const std::vector<Origin>& origins) const;

  const Schedule& schedule_;
  Bytes element_bytes_;
  Rank rank_;
  Strides strides_;
  std::vector<std::byte> send_;
  std::vector<std::byte> receive_;
};

}  // namespace postage
