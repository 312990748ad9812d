#include <postage/base/error.hpp>
#include <postage/platform/levels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace postage {
namespace {

constexpr const char* kExample = "shared-cache:2,inter-socket:8,inter-node";

ChannelLevel parse_level(const std::string& word) {
  const std::size_t colon = word.find(':');
  ChannelLevel level{word.substr(0, colon)};
  if (colon != std::string::npos) {
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data() + colon + 1, end, level.cores);
    if (error != std::errc() || stop != end || level.cores < 1) {
      throw UsageError(fmt::format("--levels: '{}' is not NAME:CORES; give levels like {}", word, kExample));
    }
  }
  if (level.channel.empty()) {
    throw UsageError(fmt::format("--levels: a level has no name; give levels like {}", kExample));
  }
  return level;
}

bool divides(std::int64_t part, std::int64_t whole) {
  return whole == ChannelLevel::kEverywhere || whole % part == 0;
}

void check_levels(const std::vector<ChannelLevel>& levels, std::int64_t per_node) {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const ChannelLevel& level = levels[i];
    const bool is_last = i + 1 == levels.size();
    if (is_last != (level.cores == ChannelLevel::kEverywhere)) {
      throw UsageError(
          fmt::format("--levels: the last level, and no other, joins all cores and has no number, as in {}", kExample));
    }
    if (!divides(level.cores, per_node) && !divides(per_node, level.cores)) {
      throw UsageError(
          fmt::format("--levels: groups of {} cores ({}) cut nodes of {}; give a divisor or a multiple of {}",
                      level.cores, level.channel, per_node, per_node));
    }
    if (!is_last && (level.cores > levels[i + 1].cores || !divides(level.cores, levels[i + 1].cores))) {
      throw UsageError(fmt::format("--levels: groups of {} cores ({}) are no parts of those of {}", level.cores,
                                   level.channel, levels[i + 1].channel));
    }
    if (std::any_of(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const ChannelLevel& other) { return other.channel == level.channel; })) {
      throw UsageError(fmt::format("--levels: {} stands twice", level.channel));
    }
  }
}

}  // namespace

std::vector<ChannelLevel> parse_levels(std::string_view text, std::int64_t per_node) {
  std::vector<ChannelLevel> levels;
  std::istringstream words{std::string(text)};
  for (std::string word; std::getline(words, word, ',');) {
    levels.push_back(parse_level(word));
  }
  check_levels(levels, per_node);
  return levels;
}

}  // namespace postage
