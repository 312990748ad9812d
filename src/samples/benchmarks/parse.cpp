#include <postage/base/error.hpp>
#include <postage/samples/benchmark_tables.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>

namespace postage {
namespace {

using BenchmarkKind = BenchmarkTable::Kind;

/// What the two formats differ in.
struct TableFormat {
  const char* benchmarks;
  const char* example;  ///< a line that begins a table
  /// The name in such a line; nothing for others.
  std::optional<std::string> (*heading)(std::string_view line);
  BenchmarkKind (*kind)(std::string_view name);
  std::size_t column;      ///< of the value, the size's being 0, where no line of titles says it
  std::string_view title;  ///< of that column; without blanks
};

std::vector<std::string> words_in(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

std::optional<double> number_in(const std::string& word) {
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// What mpirun --tag-output and srun --label put before a line: "[1,0]<stdout>: " and "0: ".
std::string_view without_label(std::string_view line) {
  const std::size_t colon = line.find(':');
  const std::string_view label = line.substr(0, colon);
  const bool is_tag = label.starts_with('[') && label.ends_with("]<stdout>");
  const bool is_rank = !label.empty() && label.find_first_not_of("0123456789") == std::string_view::npos;
  return colon != std::string_view::npos && (is_tag || is_rank) ? line.substr(colon + 1) : line;
}

std::string_view trimmed(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = line.find_first_not_of(blanks);
  return begin == std::string_view::npos ? "" : line.substr(begin, line.find_last_not_of(blanks) + 1 - begin);
}

/// What IMB prints in place of a time: "4194304 out-of-mem.; needed X= ...".
bool is_failure(std::string_view line) {
  return line.find("out-of-mem.") != std::string_view::npos || line.find("int-overflow.") != std::string_view::npos ||
         line.find("time-out.") != std::string_view::npos;
}

/// "# OSU MPI Latency Test v7.4"; before 3.0 "(Version 2.0)".
std::optional<std::string> osu_heading(std::string_view line) {
  constexpr std::string_view begin = "# OSU ";
  if (!line.starts_with(begin)) {
    return std::nullopt;
  }
  const std::size_t end = std::min(line.rfind(" v"), line.rfind(" (Version"));
  return "OSU " + std::string(line.substr(begin.size(), end - begin.size()));
}

/// "OSU MPI Latency Test" or "OSU MPI-CUDA Latency Test", and not those of several threads or collectives.
BenchmarkKind osu_kind(std::string_view name) {
  const std::size_t space = name.find(' ', 4);
  const std::string_view what = space == std::string_view::npos ? "" : name.substr(space + 1);
  return what == "Latency Test"     ? BenchmarkKind::kLatency
         : what == "Bandwidth Test" ? BenchmarkKind::kBandwidth
                                    : BenchmarkKind::kOther;
}

std::optional<std::string> imb_heading(std::string_view line) {
  constexpr std::string_view begin = "# Benchmarking ";
  if (!line.starts_with(begin)) {
    return std::nullopt;
  }
  const std::vector<std::string> words = words_in(line.substr(begin.size()));
  return words.empty() ? std::nullopt : std::optional("IMB " + words.front());
}

BenchmarkKind imb_kind(std::string_view name) {
  return name == "IMB PingPong" ? BenchmarkKind::kLatency : BenchmarkKind::kOther;
}

/// Half a unit of a number's last digit.
double rounding_of(const std::string& word) {
  const std::size_t point = word.find('.');
  const std::size_t decimals = point == std::string::npos ? 0 : word.size() - point - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(decimals));
}

/// Where a line of titles, "#bytes #repetitions t[usec] Mbytes/sec", has the value; nothing in other lines.
std::optional<std::size_t> titled_column(std::string_view line, std::string_view title) {
  const std::vector<std::string> titles = words_in(line);
  const auto found = std::ranges::find(titles, title);
  return line.starts_with('#') && found != titles.end()
             ? std::optional(static_cast<std::size_t>(found - titles.begin()))
             : std::nullopt;
}

/// A line of numbers. Microseconds become seconds, MB/s bytes per second.
BenchmarkTable::Row row_of(std::string_view line, const BenchmarkTable& table, std::size_t column,
                           const std::string& place) {
  const std::vector<std::string> words = words_in(line);
  const std::optional<double> bytes = number_in(words.front());
  const std::optional<double> value = words.size() > column ? number_in(words[column]) : std::nullopt;
  const bool is_time = table.kind == BenchmarkKind::kLatency;
  if (!bytes || !value || !(*bytes >= 0 && *bytes < 1e18) ||
      *bytes != static_cast<double>(static_cast<Bytes>(*bytes))) {
    throw UsageError(fmt::format("{}: '{}' is no line of {}: give a size in bytes and a {}", place, line, table.name,
                                 is_time ? "time" : "bandwidth"));
  }
  if (!(*value >= 0) || (is_time && *value == 0)) {
    throw UsageError(fmt::format("{}: {} is no {}", place, words[column], is_time ? "time above 0" : "bandwidth"));
  }
  const double unit = is_time ? 1e-6 : 1e6;
  return {static_cast<Bytes>(*bytes), *value * unit, rounding_of(words[column]) * unit};
}

std::vector<BenchmarkTable> parse(std::string_view text, const std::string& source, const TableFormat& format) {
  std::vector<BenchmarkTable> tables;
  std::size_t number = 0;
  std::size_t column = format.column;
  std::istringstream lines{std::string(text)};
  for (std::string whole; std::getline(lines, whole);) {
    ++number;
    const std::string_view line = trimmed(without_label(trimmed(whole)));
    if (const std::optional<std::string> name = format.heading(line)) {
      tables.push_back({.name = *name, .kind = format.kind(*name), .source = source});
      column = format.column;
    } else if (const auto titled = titled_column(line, format.title)) {
      column = *titled;
    } else if (!tables.empty() && !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0 &&
               tables.back().kind != BenchmarkKind::kOther && !is_failure(line)) {
      tables.back().rows.push_back(row_of(line, tables.back(), column, fmt::format("{}, line {}", source, number)));
    }
  }
  if (tables.empty()) {
    throw UsageError(fmt::format("{} has no table of the {}, which begins with a line like '{}'", source,
                                 format.benchmarks, format.example));
  }
  return tables;
}

}  // namespace

std::vector<BenchmarkTable> parse_osu(std::string_view text, const std::string& source) {
  return parse(text, source, {"OSU micro-benchmarks", "# OSU MPI Latency Test v7.4", osu_heading, osu_kind, 1, ""});
}

std::vector<BenchmarkTable> parse_imb(std::string_view text, const std::string& source) {
  return parse(text, source, {"Intel MPI Benchmarks", "# Benchmarking PingPong", imb_heading, imb_kind, 2, "t[usec]"});
}

}  // namespace postage
