#pragma once

#include <postage/predict/traces/trace.hpp>

#include <string>
#include <string_view>

namespace postage {

/// Reads GOAL as text, the language of LogGOPSim and ATLAHS:
///
///   num_ranks 2
///   rank 0 {
///     l1: calc 500                 nanoseconds
///     l2: send 8b to 1 tag 3       bytes; `tag`, `cpu` and `nic` may be left out
///     l2 requires l1               l2 starts when l1 has ended
///   }
///   rank 1 { r1: recv 8b from 0 tag 3  r2: calc 5  r2 irequires r1 }   r2 starts when r1 has started
///
/// Comments are // to the end of the line and between /* and */. `nic` is read and does not count: each rank has one.
/// Throws Error naming the line of the first mistake.
[[nodiscard]] Trace read_goal(std::string_view text);

/// A text that read_goal reads back: computing is rounded to whole nanoseconds.
[[nodiscard]] std::string goal_text(const Trace& trace);

}  // namespace postage
