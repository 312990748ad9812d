#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Sizes are bytes and times are seconds everywhere inside the library; text like "64K" or "10us" exists only at the
/// boundary, in this header.
using Bytes = std::int64_t;
using Seconds = double;

/// Reads "0", "8", "1000B", "64K", "64KiB" (1024), "64kB" (1000), "4M", "1.5MiB", "2G", "1T".
/// Throws UsageError for anything else, for negative sizes, and for sizes that are not whole bytes.
[[nodiscard]] Bytes parse_bytes(std::string_view text);

/// Reads a list of sizes and ranges: "8,1K,64K", "1K:1M:x2" (geometric, ends included if reached), "0:4K:+1K"
/// (arithmetic). The result keeps the order given and may hold repetitions. Throws UsageError.
[[nodiscard]] std::vector<Bytes> parse_sizes(std::string_view text);

/// Reads "5us", "1.5ms", "2s", "10ns", "3min", or a bare number of seconds. Throws UsageError.
[[nodiscard]] Seconds parse_seconds(std::string_view text);

/// Reads a rate in bytes per second: "100MB/s", "1.5GiB/s", "8e9B/s", or a bare number. Throws UsageError.
[[nodiscard]] double parse_rate(std::string_view text);

/// The shortest exact form with a binary prefix: 65536 -> "64K", 65537 -> "65537".
[[nodiscard]] std::string format_bytes(Bytes bytes);

/// Four significant digits and a fitting prefix: 1.234e-5 -> "12.34 us".
[[nodiscard]] std::string format_seconds(Seconds seconds);

/// Four significant digits and a fitting prefix: 1.25e9 -> "1.25 GB/s".
[[nodiscard]] std::string format_rate(double bytes_per_second);

}  // namespace postage
