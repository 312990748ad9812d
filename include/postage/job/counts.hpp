#pragma once

#include <postage/base/json.hpp>
#include <postage/schedule/counts.hpp>

#include <string>
#include <vector>

namespace postage {

/// Blocks of different sizes, as typed.
struct CountOptions {
  std::string file;
  std::string element = "1";
  Json given{};  ///< an array of counts, alltoall's of arrays, where no file is given

  [[nodiscard]] bool any() const { return !file.empty() || !given.is_null(); }
};

/// What counts give: the bytes of each block; none where all are equal.
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
