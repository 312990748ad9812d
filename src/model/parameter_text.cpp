#include "model/parameter_text.hpp"

#include <postage/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace postage {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (auto begin = text.find_first_not_of(kBlank); begin != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(kBlank, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kBlank, end);
  }
  return words;
}

std::string without_blanks(std::string_view text) {
  std::string rest(text);
  std::erase_if(rest, [](char c) { return kBlank.find(c) != std::string_view::npos; });
  return rest;
}

double parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) {
    throw UsageError(fmt::format("'{}' is not a number", text));
  }
  return number;
}

int parse_rank(std::string_view text) {
  int rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (error != std::errc{} || end != text.data() + text.size() || rank < 0) {
    throw UsageError(fmt::format("'{}' in --params is not a rank; ranks are 0, 1, 2, ...", text));
  }
  return rank;
}

/// Parses a part of a parameter's text: a mistake in it names the parameter.
template <typename Parse>
auto part_of(const ParameterDescription& parameter, const Parse& parse) {
  try {
    return parse();
  } catch (const UsageError& mistake) {
    throw UsageError(fmt::format("parameter {}: {}", parameter.symbol, mistake.what()));
  }
}

double parse_in_unit(std::string_view unit, std::string_view text) {
  if (unit == "B") {
    return static_cast<double>(parse_bytes(text));
  }
  if (unit == "B/s") {
    return parse_rate(text);
  }
  return unit == "1" ? parse_number(text) : parse_seconds(text);
}

/// VALUE or LOWER<VALUE<UPPER.
Estimate parse_estimate(const ParameterDescription& parameter, std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view part : split_at(text, '<')) {
    numbers.push_back(part_of(parameter, [&] { return parse_in_unit(parameter.unit, part); }));
  }
  const double least = *std::min_element(numbers.begin(), numbers.end());
  if (least < 0 && !parameter.may_be_negative) {
    throw UsageError(fmt::format("parameter {} is {}; parameters must not be negative", parameter.symbol, least));
  }
  if (numbers.size() == 1) {
    return Estimate::exactly(numbers[0]);
  }
  if (numbers.size() != 3 || !std::is_sorted(numbers.begin(), numbers.end())) {
    throw UsageError(
        fmt::format("'{}' for parameter {} is not LOWER<VALUE<UPPER, like 4us<5us<7us", text, parameter.symbol));
  }
  return {numbers[1], numbers[0], numbers[2]};
}

/// SIZE:VALUE;...
ParameterCurve parse_curve(const ParameterDescription& parameter, std::string_view text) {
  ParameterCurve curve;
  for (const std::string_view point : split_at(text, ';')) {
    const auto colon = point.find(':');
    if (colon == std::string_view::npos) {
      throw UsageError(
          fmt::format("'{}' for parameter {} is no point of a curve; write SIZE:VALUE;SIZE:VALUE, like "
                      "0:2us;64K:80us",
                      point, parameter.symbol));
    }
    const Bytes size = part_of(parameter, [&] { return parse_bytes(point.substr(0, colon)); });
    curve.push_back({size, parse_estimate(parameter, point.substr(colon + 1))});
  }
  return curve;
}

/// SIZE/AT:VALUE;..., the points of one AT together or not.
ParameterSurface parse_surface(const ParameterDescription& parameter, std::string_view text) {
  ParameterSurface surface;
  for (const std::string_view point : split_at(text, ';')) {
    const auto slash = point.find('/');
    const auto colon = point.find(':');
    if (slash == std::string_view::npos || colon == std::string_view::npos || slash > colon) {
      throw UsageError(
          fmt::format("'{}' for parameter {} is no point of a surface; write SIZE/{}:VALUE, like 64K/8:80us", point,
                      parameter.symbol, parameter.over));
    }
    const std::string_view second = point.substr(slash + 1, colon - slash - 1);
    const double at = part_of(parameter, [&] {
      return parameter.over == "stride" ? static_cast<double>(parse_bytes(second)) : parse_number(second);
    });
    const Bytes size = part_of(parameter, [&] { return parse_bytes(point.substr(0, slash)); });
    auto row = std::lower_bound(surface.begin(), surface.end(), at,
                                [](const ParameterRow& a, double value) { return a.at < value; });
    if (row == surface.end() || row->at != at) {
      row = surface.insert(row, {at, {}});
    }
    row->curve.push_back({size, parse_estimate(parameter, point.substr(colon + 1))});
  }
  return surface;
}

void add_parameter(ParameterGroup& group, const ParameterDescription& parameter, const std::string& symbol,
                   std::string_view text) {
  const bool is_curve = text.find_first_of(":;") != std::string_view::npos;
  if (is_curve && parameter.shape == ParameterShape::kValue) {
    throw UsageError(fmt::format("parameter {} is '{}'; it must be one value", symbol, text));
  }
  if (!is_curve) {
    group.values[symbol] = parse_estimate(parameter, text);
  } else if (parameter.shape == ParameterShape::kSurface && text.find('/') != std::string_view::npos) {
    group.surfaces[symbol] = parse_surface(parameter, text);
  } else {
    group.curves[symbol] = parse_curve(parameter, text);
  }
}

std::string symbols_of(const ModelDescriptor& model) {
  std::string list;
  for (const ParameterDescription& parameter : model.parameters) {
    list += (list.empty() ? "" : ", ") + std::string(parameter.symbol);
  }
  return list;
}

/// The symbols under which `name` is kept: its own, or those that fall back to it and are not given.
void add_assignment(ParameterGroup& group, const ModelDescriptor& model, const std::string& name, std::string_view text,
                    const std::vector<std::string>& given) {
  bool used = false;
  for (const ParameterDescription& parameter : model.parameters) {
    const std::string own(parameter.symbol);
    if (parameter.matches(name)) {
      add_parameter(group, parameter, name, text);
      used = true;
    } else if (parameter.falls_back_to == name && std::find(given.begin(), given.end(), own) == given.end()) {
      add_parameter(group, parameter, own, text);
      used = true;
    }
  }
  if (!used) {
    throw UsageError(fmt::format("--params has {}, which the {} model does not use; it has {}", name, model.name,
                                 symbols_of(model)));
  }
}

/// CHANNEL, pair A B, or processor A; then perhaps: from SIZE.
void parse_header(ParameterGroup& group, std::string_view header) {
  std::vector<std::string_view> words = words_of(header);
  if (words.size() > 2 && words[words.size() - 2] == "from") {
    group.from_bytes = parse_bytes(words.back());
    words.resize(words.size() - 2);
  }
  if (words.size() == 1) {
    group.scope.channel = words[0];
  } else if (words.size() == 2 && words[0] == "processor") {
    group.scope.processor = parse_rank(words[1]);
  } else if (words.size() == 3 && words[0] == "pair") {
    const auto ranks = std::minmax({parse_rank(words[1]), parse_rank(words[2])});
    group.scope.first = ranks.first;
    group.scope.second = ranks.second;
  }
  if (group.scope.channel.empty() && !group.scope.is_processor() && group.scope.first == group.scope.second) {
    throw UsageError(
        fmt::format("'[{}]' in --params is not [CHANNEL], [pair A B] or [processor A], each perhaps with "
                    "'from SIZE'",
                    header));
  }
}

}  // namespace

std::vector<TextSection> split_sections(std::string_view text) {
  std::vector<TextSection> sections;
  const auto first = std::min(text.find('['), text.size());
  sections.push_back({kAllChannels, text.substr(0, first)});
  for (auto begin = first; begin < text.size();) {
    const auto end = text.find(']', begin);
    if (end == std::string_view::npos) {
      throw UsageError(fmt::format("'{}' in --params lacks its closing bracket", text.substr(begin)));
    }
    const auto next = std::min(text.find('[', end), text.size());
    sections.push_back({text.substr(begin + 1, end - begin - 1), text.substr(end + 1, next - end - 1)});
    begin = next;
  }
  return sections;
}

ParameterGroup parse_section(const ModelDescriptor& model, const TextSection& section) {
  ParameterGroup group;
  parse_header(group, section.header);
  const std::string body = without_blanks(section.body);
  std::vector<std::pair<std::string, std::string_view>> assignments;
  std::vector<std::string> given;
  for (std::string_view rest = body; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const auto equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw UsageError(fmt::format("'{}' in --params is not SYMBOL=VALUE, like L=5us", item));
    }
    const std::string symbol(item.substr(0, equals));
    if (std::find(given.begin(), given.end(), symbol) != given.end()) {
      throw UsageError(fmt::format("parameter {} is given twice in --params", symbol));
    }
    given.push_back(symbol);
    assignments.emplace_back(symbol, item.substr(equals + 1));
  }
  for (const auto& [symbol, text] : assignments) {
    add_assignment(group, model, symbol, text, given);
  }
  return group;
}

}  // namespace postage
