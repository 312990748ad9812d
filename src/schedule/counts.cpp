#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/schedule/counts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

namespace postage {
namespace {

/// One line of counts, and where it stands: "counts.txt, line 3".
struct CountLine {
  std::string place;
  std::vector<Index> counts;
};

UsageError wrong_count(const std::string& place, const std::string& text) {
  return UsageError(fmt::format("{}: '{}' is not a count; give a whole number of at least 0", place, text));
}

Index parse_count(const std::string& place, const std::string& text) {
  Index count = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || stop != text.data() + text.size() || count < 0) {
    throw wrong_count(place, text);
  }
  return count;
}

std::vector<CountLine> lines_of_text(const std::string& path, const std::string& text) {
  std::vector<CountLine> lines;
  std::istringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    CountLine counts{fmt::format("{}, line {}", path, ++number), {}};
    line.resize(std::min(line.find('#'), line.size()));
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      counts.counts.push_back(parse_count(counts.place, word));
    }
    if (!counts.counts.empty()) {
      lines.push_back(std::move(counts));
    }
  }
  return lines;
}

Index count_of(const std::string& place, const Json& value) {
  if (!value.is_integer() || value.integer() < 0) {
    throw wrong_count(place, value.dump());
  }
  return value.integer();
}

std::vector<CountLine> lines_of_json(const std::string& path, const Json& rows) {
  std::vector<CountLine> lines;
  std::size_t number = 0;
  for (const Json& row : rows) {
    CountLine counts{fmt::format("{}, item {}", path, ++number), {}};
    if (row.is_array()) {
      for (const Json& value : row) {
        counts.counts.push_back(count_of(counts.place, value));
      }
    } else {
      counts.counts.push_back(count_of(counts.place, row));
    }
    lines.push_back(std::move(counts));
  }
  return lines;
}

std::vector<CountLine> lines_of(const std::string& path, const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '[') {
    return lines_of_text(path, text);
  }
  try {
    return lines_of_json(path, Json::parse(text));
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

/// Every line has as many counts as the collective's definition gives.
void check_lines(const std::vector<CountLine>& lines, Collective collective) {
  const bool is_square = collective == Collective::kAlltoall;
  const std::size_t wanted = is_square ? lines.size() : 1;
  for (const CountLine& line : lines) {
    if (line.counts.size() != wanted) {
      throw UsageError(
          is_square ? fmt::format("{}: found {}; alltoallv among {} ranks, as there are lines, needs {} counts in "
                                  "each",
                                  line.place, line.counts.size(), wanted, wanted)
                    : fmt::format("{}: found {}; give one count for each rank, each on a line of its own", line.place,
                                  line.counts.size()));
    }
  }
}

std::vector<Bytes> bytes_of(const std::vector<CountLine>& lines, const std::string& source, Collective collective,
                            Bytes element_bytes) {
  if (lines.empty()) {
    throw UsageError(fmt::format("{} has no counts; write one line for each rank", source));
  }
  check_lines(lines, collective);
  std::vector<Bytes> bytes;
  for (const CountLine& line : lines) {
    for (const Index count : line.counts) {
      if (count > std::numeric_limits<Bytes>::max() / element_bytes / 1'000'000) {
        throw UsageError(fmt::format("{}: {} elements of {} bytes are too many", line.place, count, element_bytes));
      }
      bytes.push_back(count * element_bytes);
    }
  }
  return bytes;
}

}  // namespace

NamedCollective parse_named_collective(std::string_view name) {
  for (const Collective collective :
       {Collective::kGather, Collective::kScatter, Collective::kAllgather, Collective::kAlltoall}) {
    if (name == std::string(name_of(collective)) + "v") {
      return {collective, true};
    }
  }
  return {parse_collective(name), false};
}

std::vector<Bytes> read_counts(const std::string& path, Collective collective, Bytes element_bytes) {
  return parse_counts(read_file(path), path, collective, element_bytes);
}

std::vector<Bytes> parse_counts(const std::string& text, const std::string& path, Collective collective,
                                Bytes element_bytes) {
  return bytes_of(lines_of(path, text), path, collective, element_bytes);
}

std::vector<Bytes> counts_in(const Json& counts, Collective collective, Bytes element_bytes) {
  return bytes_of(lines_of_json("counts", counts), "counts", collective, element_bytes);
}

Rank ranks_of_blocks(Collective collective, std::size_t blocks) {
  return static_cast<Rank>(collective == Collective::kAlltoall ? std::llround(std::sqrt(static_cast<double>(blocks)))
                                                               : static_cast<long long>(blocks));
}

}  // namespace postage
