#pragma once

#include <postage/base/options.hpp>
#include <postage/schedule/counts.hpp>

#include <string>
#include <vector>

namespace postage {

/// Blocks of different sizes, as typed.
struct CountOptions {
  std::string file;
  std::string element = "1";
};

void add_count_options(Command& command, CountOptions& options);

/// What --counts gives: the bytes of each block; none where all are equal.
struct UnevenBlocks {
  std::vector<Bytes> bytes;
  Bytes element_bytes = 1;
  Rank ranks = 0;

  [[nodiscard]] bool empty() const { return bytes.empty(); }
  [[nodiscard]] Bytes total() const;
  [[nodiscard]] Bytes largest() const;
};

/// Those of a collective on `ranks` ranks, or on as many as there are counts for where `ranks` is 0. Throws UsageError
/// where counts are missing, not for this collective, or for another number of ranks.
[[nodiscard]] UnevenBlocks resolve_blocks(const std::string& collective, const CountOptions& options, Rank ranks);

/// Sets what a request needs of them; `request.bytes` becomes their sum.
void set_blocks(const UnevenBlocks& blocks, ScheduleRequest& request);

}  // namespace postage
