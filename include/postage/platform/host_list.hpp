#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// More hosts than this are a mistake in a list, not a cluster.
inline constexpr std::size_t kMostListedHosts = 1 << 17;

/// Slurm's host lists: "a[1-4,7],b[001-010]x[0-1],c" in their order. Numbers keep the zeros in front of the first of
/// their range; several brackets make every combination, the last one varying fastest. Throws UsageError saying what is
/// wrong where brackets do not match, a range falls, an item is empty, or there are more than kMostListedHosts.
[[nodiscard]] std::vector<std::string> expand_host_list(std::string_view text);

/// The shortest such list by ranges of the last number in a name: {"a1", "a2", "a3", "b"} is "a[1-3],b". Keeps order;
/// expand_host_list gives the hosts back. O(characters).
[[nodiscard]] std::string format_host_list(std::span<const std::string> hosts);

}  // namespace postage
