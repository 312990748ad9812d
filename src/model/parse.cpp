#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace postage {
namespace {

std::map<std::string, double> parse_assignments(std::string_view text) {
  std::map<std::string, double> values;
  while (!text.empty()) {
    const std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), item.size() + 1));
    const auto equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      throw UsageError(fmt::format("'{}' in --params is not SYMBOL=VALUE, like L=5us", item));
    }
    const std::string symbol(item.substr(0, equals));
    const double value = parse_seconds(item.substr(equals + 1));
    if (value < 0) {
      throw UsageError(fmt::format("parameter {} is {}; parameters must not be negative", symbol, value));
    }
    if (!values.emplace(symbol, value).second) {
      throw UsageError(fmt::format("parameter {} is given twice in --params", symbol));
    }
  }
  return values;
}

std::string symbols_of(const ModelDescription& model) {
  std::string list;
  for (const ParameterDescription& parameter : model.parameters) {
    list += (list.empty() ? "" : ", ") + std::string(parameter.symbol);
  }
  return list;
}

}  // namespace

ParameterTable parse_parameters(std::string_view model, std::string_view text) {
  const ModelDescription& description = find_model(model);
  std::map<std::string, double> given = parse_assignments(text);
  ParameterGroup group{.scope = {.channel = "all"}};
  std::map<std::string, bool> used;
  for (const ParameterDescription& parameter : description.parameters) {
    std::string symbol(parameter.symbol);
    if (given.count(symbol) == 0 && !parameter.falls_back_to.empty()) {
      symbol = parameter.falls_back_to;
    }
    const auto found = given.find(symbol);
    if (found == given.end()) {
      throw UsageError(
          fmt::format("--params lacks {} of the {} model; it needs {}", symbol, model, symbols_of(description)));
    }
    used[symbol] = true;
    group.values[std::string(parameter.symbol)] = Estimate::exactly(found->second);
  }
  for (const auto& [symbol, value] : given) {
    if (!used[symbol]) {
      throw UsageError(fmt::format("--params has {}, which the {} model does not use; it needs {}", symbol, model,
                                   symbols_of(description)));
    }
  }
  return {.model = std::string(model), .groups = {group}, .fit = {}};
}

}  // namespace postage
