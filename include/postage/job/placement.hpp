#pragma once

#include <postage/platform/mapping.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/patterns/node_aware.hpp>

#include <optional>
#include <string>

namespace postage {

/// Where the ranks of a job run, as typed.
struct MappingOptions {
  std::string mapping;
  std::int32_t nodes = 0;
  std::int32_t per_node = 0;
};

/// The mapping asked for; nothing where none was. Throws UsageError for an incomplete one.
[[nodiscard]] std::optional<Mapping> given_mapping(const MappingOptions& options);

/// The algorithms of a node-aware composition, as typed.
struct NodeAwareOptions {
  std::string
      within;  ///< algorithms within nodes: one for both directions, or those for up and down with a comma between
  std::string among;  ///< algorithm among the nodes' leaders

  [[nodiscard]] bool is_given() const { return !within.empty() || !among.empty(); }
};

/// Throws UsageError where one of the two is missing.
[[nodiscard]] NodeParts parts_of(const NodeAwareOptions& options);

/// Throws UsageError where the mapping has fewer cores than ranks.
void check_capacity(const Mapping& mapping, Rank ranks);

/// The node of each rank. Throws UsageError where the mapping has fewer cores than ranks.
[[nodiscard]] NodeMap node_map_of(const Mapping& mapping, Rank ranks);

}  // namespace postage
