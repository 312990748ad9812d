#include "job/count_places.hpp"

#include <postage/base/error.hpp>
#include <postage/job/counts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {

Bytes UnevenBlocks::total() const {
  return std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
}

Bytes UnevenBlocks::largest() const {
  return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

UnevenBlocks resolve_blocks(const std::string& collective, const CountOptions& options, Rank ranks) {
  const bool is_message = collective == "p2p";
  const NamedCollective named = is_message ? NamedCollective{} : parse_named_collective(collective);
  if (!options.any()) {
    if (named.is_uneven) {
      throw UsageError(
          fmt::format("{} needs --counts FILE; with equal blocks it is {}", collective, name_of(named.collective)));
    }
    return {};
  }
  if (!named.is_uneven && named.collective != Collective::kReduceScatter) {
    throw UsageError(fmt::format(
        "--counts is for scatterv, gatherv, allgatherv, alltoallv and reduce_scatter; {} takes --size", collective));
  }
  const Bytes element = parse_bytes(options.element);
  if (element < 1) {
    throw UsageError("--element 0: an element has at least 1 byte");
  }
  UnevenBlocks blocks{.bytes = options.file.empty() ? counts_in(options.given, named.collective, element)
                                                    : read_counts(options.file, named.collective, element),
                      .element_bytes = element};
  blocks.ranks = ranks_of_blocks(named.collective, blocks.bytes.size());
  if (ranks != 0 && ranks != blocks.ranks) {
    throw UsageError(fmt::format("{} has counts for {} ranks, but P is {}",
                                 options.file.empty() ? "counts" : options.file, blocks.ranks, ranks));
  }
  return blocks;
}

void check_places(const MappingOptions& mapping, const UnevenBlocks& blocks) {
  const bool is_file = !mapping.mapping.empty() && mapping.mapping != "block" && mapping.mapping != "cyclic";
  const std::int64_t places = std::int64_t{mapping.nodes} * mapping.per_node;
  if (!is_file && places > blocks.ranks) {
    throw UsageError(
        fmt::format("the counts are for {0} rank{1}, but --nodes {2} and --per-node {3} have places for {4}: give "
                    "counts for {4} ranks, or -P {0} as well to leave places empty",
                    blocks.ranks, blocks.ranks == 1 ? "" : "s", mapping.nodes, mapping.per_node, places));
  }
}

void set_blocks(const UnevenBlocks& blocks, ScheduleRequest& request) {
  if (blocks.empty()) {
    return;
  }
  request.block_bytes = blocks.bytes;
  request.bytes = blocks.total();
  request.element_bytes = std::max(request.element_bytes, blocks.element_bytes);
}

}  // namespace postage
