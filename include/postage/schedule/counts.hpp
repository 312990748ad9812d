#pragma once

#include <postage/base/json.hpp>
#include <postage/schedule/algorithms.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A collective by MPI's name: gatherv, scatterv, allgatherv and alltoallv are those whose blocks may differ.
struct NamedCollective {
  Collective collective = Collective::kBarrier;
  /// The name says that blocks differ. Those of reduce_scatter may, too, without its saying so.
  bool is_uneven = false;
};
/// Throws UsageError listing the valid names.
[[nodiscard]] NamedCollective parse_named_collective(std::string_view name);

/// Bytes of each block of a collective with P blocks, or P x P for alltoall, block source*P + destination, from a file
/// of counts of elements of `element_bytes` bytes: one count a line, alltoall's P lines of P counts each, with spaces
/// or commas between; '#' begins a comment. Or a JSON array of counts, alltoall's of P arrays of P counts. Throws
/// UsageError naming the line, and Error where the file cannot be read.
[[nodiscard]] std::vector<Bytes> read_counts(const std::string& path, Collective collective, Bytes element_bytes);

/// The same of a file's text.
[[nodiscard]] std::vector<Bytes> parse_counts(const std::string& text, const std::string& path, Collective collective,
                                              Bytes element_bytes);

/// The same of a JSON array, in which mistakes are named by their item.
[[nodiscard]] std::vector<Bytes> counts_in(const Json& counts, Collective collective, Bytes element_bytes);

/// P of a collective with so many blocks.
[[nodiscard]] Rank ranks_of_blocks(Collective collective, std::size_t blocks);

}  // namespace postage
