#pragma once

#include <postage/schedule/schedule.hpp>

#include <optional>
#include <string>

namespace postage {

/// Follows every block symbolically from rank to rank and proves that each rank ends with what the collective
/// promises: the right blocks, and for reductions each contribution exactly once, in rank order where
/// `ordered` asks for a non-commutative operation. Also proves that no rank sends what it does not have, that no
/// round delivers one block twice to a rank, and that every rank and block number is in range.
///
/// Nothing if all holds; otherwise one sentence naming the first mistake. O(messages * blocks per message) time.
[[nodiscard]] std::optional<std::string> find_dataflow_mistake(const Schedule& schedule, bool ordered = true);

}  // namespace postage
