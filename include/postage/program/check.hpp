#pragma once

#include <postage/program/program.hpp>

#include <optional>
#include <string>

namespace postage {

/// Proves that no memory changes while a message from it is under way: none that a send reads is received into, copied
/// or combined over before the program has waited for the send, and, where it is acknowledged, for the acknowledgement
/// (Ali et al., PPoPP 2010, section 3.2); nothing reads or writes what a receive under way may write. Also that the
/// source of a transfer of Protocol::kAcknowledged waits in the same step. Follows the steps as the executor runs them,
/// by itself: decide_overlap's own bookkeeping is what it checks.
///
/// Nothing if all holds; otherwise one sentence naming the first mistake. O(operations^2) in the worst case.
[[nodiscard]] std::optional<std::string> find_overlap_mistake(const Program& program);

}  // namespace postage
