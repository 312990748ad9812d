#include <postage/base/error.hpp>
#include <postage/base/units.hpp>

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace postage {
namespace {

struct Quantity {
  double number;
  std::string_view unit;
};

std::optional<Quantity> split_quantity(std::string_view text) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) {
    return std::nullopt;
  }
  return Quantity{number, text.substr(static_cast<std::size_t>(rest - text.data()))};
}

using Unit = std::pair<std::string_view, double>;

constexpr std::array<Unit, 15> kByteUnits{{{"", 1},
                                           {"B", 1},
                                           {"K", 1024.},
                                           {"KiB", 1024.},
                                           {"kB", 1e3},
                                           {"M", 1048576.},
                                           {"MiB", 1048576.},
                                           {"MB", 1e6},
                                           {"G", 1073741824.},
                                           {"GiB", 1073741824.},
                                           {"GB", 1e9},
                                           {"T", 1099511627776.},
                                           {"TiB", 1099511627776.},
                                           {"TB", 1e12},
                                           {"k", 1024.}}};
constexpr std::array<Unit, 6> kTimeUnits{{{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60}}};

template <std::size_t N>
std::optional<double> scaled(std::string_view text, const std::array<Unit, N>& units) {
  const auto quantity = split_quantity(text);
  if (!quantity) {
    return std::nullopt;
  }
  for (const auto& [name, factor] : units) {
    if (name == quantity->unit) {
      // A time written in microseconds should be the double nearest to it: dividing by 1e6 is exact where multiplying
      // by the inexact 1e-6 is not.
      return factor < 1 ? quantity->number / std::round(1 / factor) : quantity->number * factor;
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(at + 1);
  }
}

constexpr std::size_t kMostSizes = 100000;

void append_range(std::vector<Bytes>& sizes, std::string_view text, const std::vector<std::string_view>& parts) {
  const auto bad = [&] {
    return UsageError(
        fmt::format("'{}' is not a range of sizes; write FIRST:LAST:xFACTOR with FIRST and FACTOR-1 at "
                    "least 1, or FIRST:LAST:+STEP, like 1K:1M:x2",
                    text));
  };
  if (parts[0].empty() || parts[1].empty()) {
    throw bad();
  }
  const Bytes first = parse_bytes(parts[0]);
  const Bytes last = parse_bytes(parts[1]);
  const std::string_view step = parts.size() == 3 ? parts[2] : "x2";
  const bool geometric = !step.empty() && step.front() == 'x';
  if (step.size() < 2 || (!geometric && step.front() != '+') || first > last) {
    throw bad();
  }
  const Bytes amount = parse_bytes(step.substr(1));
  if (geometric ? (first < 1 || amount < 2) : amount < 1) {
    throw bad();
  }
  for (Bytes size = first; size <= last;) {
    sizes.push_back(size);
    if (sizes.size() > kMostSizes) {
      throw UsageError(fmt::format("'{}' holds more than {} sizes; take a larger step", text, kMostSizes));
    }
    const Bytes room = std::numeric_limits<Bytes>::max();
    if (geometric ? size > room / amount : size > room - amount) {
      break;
    }
    size = geometric ? size * amount : size + amount;
  }
}

}  // namespace

Bytes parse_bytes(std::string_view text) {
  const auto bytes = scaled(text, kByteUnits);
  if (!bytes || *bytes < 0 || *bytes != std::floor(*bytes) || *bytes > 9.0e18) {
    throw UsageError(fmt::format("'{}' is not a size; write whole bytes like 8, 64K, 1MiB or 1.5G", text));
  }
  return static_cast<Bytes>(*bytes);
}

std::vector<Bytes> parse_sizes(std::string_view text) {
  std::vector<Bytes> sizes;
  for (const auto item : split(text, ',')) {
    const auto parts = split(item, ':');
    if (item.empty()) {
      throw UsageError(fmt::format("'{}' is no list of sizes: one of them is empty; write it like 1K,64K", text));
    }
    if (parts.size() == 1) {
      sizes.push_back(parse_bytes(item));
    } else if (parts.size() <= 3) {
      append_range(sizes, item, parts);
    } else {
      throw UsageError(fmt::format("'{}' is not a range of sizes; write FIRST:LAST:xFACTOR, like 1K:1M:x2", item));
    }
  }
  return sizes;
}

Seconds parse_seconds(std::string_view text) {
  const auto seconds = scaled(text, kTimeUnits);
  if (!seconds) {
    throw UsageError(fmt::format("'{}' is not a time; write it like 5us, 1.5ms or 2s", text));
  }
  return *seconds;
}

double parse_rate(std::string_view text) {
  const std::string_view amount = text.ends_with("/s") ? text.substr(0, text.size() - 2) : text;
  const auto rate = scaled(amount, kByteUnits);
  if (!rate) {
    throw UsageError(fmt::format("'{}' is not a rate; write it like 100MB/s or 1.5GiB/s", text));
  }
  return *rate;
}

std::string format_bytes(Bytes bytes) {
  constexpr std::array<char, 4> prefixes{'K', 'M', 'G', 'T'};
  std::string suffix;
  for (const char prefix : prefixes) {
    if (bytes == 0 || bytes % 1024 != 0) {
      break;
    }
    bytes /= 1024;
    suffix = prefix;
  }
  return fmt::format("{}{}", bytes, suffix);
}

std::string format_seconds(Seconds seconds) {
  const double size = std::abs(seconds);
  if (size == 0) {
    return "0 s";
  }
  if (size < 1e-6) {
    return fmt::format("{:.4g} ns", seconds * 1e9);
  }
  if (size < 1e-3) {
    return fmt::format("{:.4g} us", seconds * 1e6);
  }
  if (size < 1) {
    return fmt::format("{:.4g} ms", seconds * 1e3);
  }
  return fmt::format("{:.4g} s", seconds);
}

std::string format_rate(double bytes_per_second) {
  constexpr std::array<std::pair<double, std::string_view>, 4> prefixes{
      {{1e12, "TB/s"}, {1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}}};
  for (const auto& [factor, unit] : prefixes) {
    if (std::abs(bytes_per_second) >= factor) {
      return fmt::format("{:.4g} {}", bytes_per_second / factor, unit);
    }
  }
  return fmt::format("{:.4g} B/s", bytes_per_second);
}

}  // namespace postage
