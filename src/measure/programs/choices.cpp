#include <postage/base/entries.hpp>
#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/choices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace postage {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kClearlySlower = 1.05;
constexpr double kSurelyFaster = 0.97;
constexpr double kSurelyNoFaster = 0.99;

/// Of the part that has the default's settings.
constexpr std::string_view kStandard = "default";

LibrarySetting parse_setting(const std::string& word) {
  const std::size_t at = word.find('=');
  if (at == 0 || at == std::string::npos) {
    throw UsageError(fmt::format("'{}' is not VARIABLE=VALUE", word));
  }
  return {word.substr(0, at), word.substr(at + 1)};
}

ChoicePoint parse_choice_line(const std::string& line) {
  std::istringstream parts(line);
  std::string part;
  std::getline(parts, part, ';');
  ChoicePoint point{parse_batch_point(part)};
  while (std::getline(parts, part, ';')) {
    std::istringstream stream(part);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    const bool is_standard = point.choices.empty() && !words.empty() && words.front() == kStandard;
    std::vector<LibrarySetting>& settings = is_standard ? point.standard : point.choices.emplace_back();
    std::transform(words.begin() + (is_standard ? 1 : 0), words.end(), std::back_inserter(settings), parse_setting);
  }
  return point;
}

void add_settings(std::string& line, const std::vector<LibrarySetting>& settings) {
  for (const LibrarySetting& setting : settings) {
    line += fmt::format(" {}={}", setting.variable, setting.value);
  }
}

/// a/b round by round.
std::vector<double> ratios_of(const ChoiceRounds& a, const ChoiceRounds& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i) {
    ratios.push_back(a.times[i] / b.times[i]);
  }
  return ratios;
}

double typical_ratio(const ChoiceRounds& a, const ChoiceRounds& b) {
  return median(ratios_of(a, b));
}

/// Numbers of the active choices beside the default, the fastest first.
std::vector<std::size_t> by_speed(const std::vector<ChoiceRounds>& rounds, const std::vector<bool>& active) {
  std::vector<std::size_t> order;
  for (std::size_t choice = 1; choice < rounds.size(); ++choice) {
    if (active[choice]) {
      order.push_back(choice);
    }
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return typical_ratio(rounds[a], rounds.front()) < typical_ratio(rounds[b], rounds.front());
  });
  return order;
}

}  // namespace

std::vector<ChoicePoint> parse_choices(const std::string& text, const std::string& source) {
  return parse_entries<ChoicePoint>(text, source, parse_choice_line);
}

std::string format_choices(const std::vector<ChoicePoint>& points) {
  std::string text;
  for (const ChoicePoint& point : points) {
    std::string line = format_batch({point.point});
    line.pop_back();
    if (!point.standard.empty()) {
      line += fmt::format("; {}", kStandard);
      add_settings(line, point.standard);
    }
    for (const std::vector<LibrarySetting>& settings : point.choices) {
      line += ";";
      add_settings(line, settings);
    }
    text += line + "\n";
  }
  return text;
}

std::optional<int> number_in_description(const std::string& description, const std::string& name) {
  int number = 0;
  for (std::size_t dash = description.find(" - "); dash != std::string::npos;
       dash = description.find(" - ", dash + 1)) {
    const std::string_view before(description.data(), description.find_last_not_of(' ', dash) + 1);
    const bool is_named = before.ends_with(name);
    const bool is_whole = is_named && (before.size() == name.size() || before[before.size() - name.size() - 1] != '_');
    if (is_whole) {
      return number;
    }
    ++number;
  }
  return std::nullopt;
}

std::vector<bool> choices_left(const std::vector<ChoiceRounds>& rounds, const std::vector<bool>& active) {
  std::vector<bool> left = active;
  const std::vector<std::size_t> order = by_speed(rounds, active);
  for (std::size_t place = 1; place < order.size(); ++place) {
    const std::vector<double> ratios = ratios_of(rounds[order[place]], rounds[order.front()]);
    const bool is_surely_slower = order_median_interval(ratios, kConfidence).lower > 1;
    const bool is_clearly_slower = 2 * place >= order.size() && median(ratios) > kClearlySlower;
    left[order[place]] = !is_surely_slower && !is_clearly_slower;
  }
  return left;
}

bool is_decided(const std::vector<ChoiceRounds>& rounds, const std::vector<bool>& active) {
  const std::vector<std::size_t> order = by_speed(rounds, active);
  if (order.size() != 1) {
    return order.empty();
  }
  const Interval interval = order_median_interval(ratios_of(rounds[order.front()], rounds.front()), kConfidence);
  return interval.upper < kSurelyFaster || interval.lower > kSurelyNoFaster;
}

}  // namespace postage
