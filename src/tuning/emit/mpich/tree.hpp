#pragma once

#include <postage/tuning/decision_table.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postage {

/// An object of MPICH's selection file: keys in their order, each with the object below it.
struct MpichNode {
  std::vector<std::pair<std::string, MpichNode>> members{};

  bool operator==(const MpichNode&) const = default;
};

/// {"algorithm=MPIR_NAME": {parameters...}}
[[nodiscard]] MpichNode mpich_leaf(std::string_view name, const std::vector<std::string>& parameters = {});

/// An object of members.
[[nodiscard]] MpichNode mpich_chain(std::vector<std::pair<std::string, MpichNode>> members);

/// A node for each range, up to its last byte or number of ranks, found by questions of KEY<=LAST and KEY=any, few
/// for the shortest messages and not many for any; MPICH's sizes have 32 bits. Nothing is asked between neighbours with
/// the same node. At least one range.
struct MpichRange {
  Bytes last;
  MpichNode node;
};
[[nodiscard]] MpichNode mpich_ranges(const std::string& key, const std::vector<MpichRange>& ranges);

/// The node without what it asks of KEY in vain where KEY has these values: MPICH asks at every call.
[[nodiscard]] MpichNode mpich_within(const MpichNode& node, const std::string& key, const Span<Bytes>& values);

/// The node where a condition is known to hold, or not to. What MPICH asks of a communicator costs nothing while that
/// is asked for before sizes: it is answered when the communicator is made.
[[nodiscard]] MpichNode mpich_given(const MpichNode& node, const std::string& condition, bool holds);

/// Of objects in one another, empty ones too.
[[nodiscard]] int mpich_levels(const MpichNode& node);

/// Indented JSON. Throws Error where that has too many levels for MPICH.
[[nodiscard]] std::string render(const MpichNode& root);

/// What MPICH does by default on intracommunicators, written with its own keys: the thresholds of 4.0's built-in tree.
/// Releases from 4.1 on differ in their algorithms' names.
[[nodiscard]] MpichNode mpich_default(std::string_view collective, const LibraryVersion& version);

/// The same between groups; no members where MPI has no such collective.
[[nodiscard]] MpichNode mpich_default_inter(std::string_view collective, const LibraryVersion& version);

/// How ch4 gives a collective to the algorithms of the other file, on intracommunicators.
struct MpichComposition {
  std::string collective;
  MpichNode flat;   ///< as a whole, without splitting the communicator by nodes
  MpichNode usual;  ///< what MPICH does by default: the built-in tree of 4.0
};
[[nodiscard]] std::vector<MpichComposition> mpich_compositions(const LibraryVersion& version);

}  // namespace postage
