#pragma once

#include "tuning/lint/mpich/algorithms.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace postage {

/// A key of MPICH's tree, without blanks, which alone it passes over: "avg_msg_size<=1024" is avg_msg_size, <=, 1024.
struct MpichKey {
  std::string name{};
  std::string comparison{};  ///< "=", "<", "<="
  std::string value{};
  [[nodiscard]] bool is_any() const { return comparison == "=" && value == "any"; }
  [[nodiscard]] bool is_leaf() const { return name == "algorithm" || name == "composition"; }
};
[[nodiscard]] MpichKey parse_mpich_key(std::string_view key);

/// True where the library knows the key: all values of yes and no, and "any" where a release has it.
[[nodiscard]] bool is_known(const MpichKey& key, const LibraryVersion& version);

/// True where the last of a chain may be this key without an "=any" behind it.
[[nodiscard]] bool may_end_chain(const MpichKey& key);

/// True where MPICH works out what the key asks for calls of the collective; it aborts at others.
[[nodiscard]] bool is_defined(const MpichKey& key, std::string_view collective);

/// What the keys on the way to a leaf say of the calls that reach it. Nothing where they say nothing.
struct MpichConditions {
  std::optional<bool> power_of_two{};
  std::optional<bool> count_below_power{};
  std::optional<bool> built_in_operation{};
  std::optional<bool> commutative{};
  std::optional<bool> in_place{};
  std::optional<bool> whole_job{};
  std::optional<bool> equal_blocks{};
  std::optional<bool> consecutive{};
  std::optional<bool> single_node{};
  std::optional<bool> intra{};
  std::int64_t least_ranks = 1;
  std::int64_t most_ranks = std::numeric_limits<std::int64_t>::max();
  std::int64_t least_bytes = 0;  ///< of a message

  /// After a key that holds (`holds`) or, for its later siblings, does not.
  void apply(const MpichKey& key, bool holds);
  [[nodiscard]] bool is_power_of_two() const;
  [[nodiscard]] bool has_enough_elements() const;
};

}  // namespace postage
