#pragma once

#include <postage/tuning/library.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What an algorithm of MPICH asserts of a call: nothing checks it when a file selects the algorithm.
struct MpichNeeds {
  bool power_of_two = false;
  bool count_of_power = false;  ///< elements at least the largest power of two up to the number of ranks
  bool built_in_operation = false;
  bool commutative = false;
  bool in_place = false;
  bool not_in_place = false;
  bool whole_job = false;  ///< a communicator that spans nodes and knows it ("comm_hierarchy=parent")
  bool equal_blocks = false;
  bool consecutive = false;
  bool single_node = false;
  bool two_ranks = false;  ///< or more
};

struct MpichAlgorithm {
  std::string collective{};  ///< "bcast", "ibcast"
  std::string kind{};        ///< intra, inter, allcomm; composition for those of ch4
  std::string name{};
  LibraryVersion since{};
  LibraryVersion before{1 << 20, 0, 0};
  MpichNeeds needs{};

  /// "algorithm=MPIR_Bcast_intra_binomial", "composition=MPIDI_Bcast_intra_composition_alpha"
  [[nodiscard]] std::string key() const;
};

/// Every algorithm and composition, of all releases.
[[nodiscard]] std::span<const MpichAlgorithm> mpich_algorithms();

/// Collectives that a file for all of MPICH must name: the blocking, the non-blocking and the neighborhood ones.
[[nodiscard]] std::span<const std::string> mpich_collectives();

/// MPI defines no scan and no neighborhood collective between groups.
[[nodiscard]] bool has_intercommunicators(std::string_view collective);

}  // namespace postage
