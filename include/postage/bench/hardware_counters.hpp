#pragma once

#include <string>

namespace postage {

/// Why programs cannot read how often the last cache misses ("perf_event_open: No such file or directory", as on most
/// virtual machines), or nothing where they can.
[[nodiscard]] std::string why_no_miss_counter();

}  // namespace postage
