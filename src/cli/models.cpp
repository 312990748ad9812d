#include "cli/commands.hpp"
#include "cli/formulas.hpp"
#include "cli/table.hpp"

#include <postage/base/json.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace postage {
namespace {

struct ModelsOptions {
  std::string model;
  bool formulas = false;
  bool json = false;
};

/// "value", "curve over m", "surface over m and tau".
std::string shape_of(const ParameterDescription& parameter) {
  switch (parameter.shape) {
    case ParameterShape::kValue:
      return "value";
    case ParameterShape::kCurve:
      return "curve over m";
    case ParameterShape::kSurface:
      break;
  }
  return fmt::format("surface over m and {}", parameter.over);
}

std::string_view owner_of(const ParameterDescription& parameter) {
  switch (parameter.owner) {
    case ParameterOwner::kLink:
      return "link";
    case ParameterOwner::kProcessor:
      return "processor";
    case ParameterOwner::kPlatform:
      break;
  }
  return "platform";
}

Json to_json(const ModelDescriptor& model) {
  Json parameters = Json::array();
  for (const ParameterDescription& parameter : model.parameters) {
    parameters.push_back({{"symbol", parameter.symbol},
                          {"unit", parameter.unit},
                          {"meaning", parameter.meaning},
                          {"shape", shape_of(parameter)},
                          {"belongs_to", owner_of(parameter)},
                          {"required", parameter.required}});
  }
  return {{"name", model.name},
          {"title", model.title},
          {"equation", model.equation},
          {"source", model.source},
          {"parameters", std::move(parameters)},
          {"example", model.example}};
}

/// Symbols and units of those that the model cannot do without.
std::string required_parameters(const ModelDescriptor& model) {
  std::string list;
  for (const ParameterDescription& parameter : model.parameters) {
    if (parameter.required) {
      list += fmt::format("{}{} [{}]", list.empty() ? "" : ", ", parameter.symbol, parameter.unit);
    }
  }
  return list;
}

std::string list_of(std::span<const ModelDescriptor* const> list) {
  Table table({{"model"}, {"one message of m bytes"}, {"parameters"}, {"paper"}});
  for (const ModelDescriptor* model : list) {
    table.add_row({std::string(model->name), std::string(model->equation), required_parameters(*model),
                   std::string(model->source)});
  }
  return table.render(output_width());
}

std::string details_of(const ModelDescriptor& model) {
  Table table({{"parameter"}, {"unit"}, {"is"}, {"of"}, {"meaning"}});
  for (const ParameterDescription& parameter : model.parameters) {
    table.add_row({std::string(parameter.symbol), std::string(parameter.unit), shape_of(parameter),
                   std::string(owner_of(parameter)),
                   std::string(parameter.meaning) + (parameter.required ? "" : " (optional)")});
  }
  return fmt::format("{}: {}\n{}\n\n{}\n--model {} --params '{}'\n", model.title, model.equation, model.source,
                     table.render(output_width()), model.name, model.example);
}

void run(const ModelsOptions& options) {
  if (options.formulas) {
    list_formulas(options.json);
    return;
  }
  const bool all = options.model.empty();
  const ModelDescriptor* one = all ? nullptr : &find_model(options.model);
  const std::span<const ModelDescriptor* const> list = all ? models() : std::span(&one, 1);
  if (!options.json) {
    fmt::print("{}", all ? list_of(list) : details_of(*list.front()));
    return;
  }
  Json described = Json::array();
  for (const ModelDescriptor* model : list) {
    described.push_back(to_json(*model));
  }
  fmt::print("{}\n", described.dump(1));
}

}  // namespace

void add_models_command(Command& app) {
  Command command = app.subcommand("models", "List the models: equation, parameters, units, paper");
  const auto options = std::make_shared<ModelsOptions>();
  command.option("model", options->model, "Show this model with all its parameters and an example");
  command.flag("--formulas", options->formulas,
               "List the papers' formulas for postage predict --formula: parameters, conditions, equation or table");
  command.flag("--json", options->json, "Print JSON");
  command.not_with("--formulas", {"model"});
  command.footer(
      "Parameters by hand, for --params:\n"
      "  L=5us,o=1us,g=2us,G=1ns                       values; o stands for o_s and o_r\n"
      "  g=0:2us;64K:80us                              a curve: SIZE:VALUE, linear between\n"
      "  L=0/1:1us;64K/1:20us;0/8:2us;64K/8:90us       a surface: SIZE/TAU:VALUE or SIZE/STRIDE:VALUE\n"
      "  [shared-cache] L=1us,... [inter-node] L=5us,...   by channel; also [inter-node from 64K],\n"
      "                                                [pair 0 3] and [processor 3]\n"
      "  4us<5us<7us                                   a value with its interval\n\n"
      "Examples:\n"
      "  postage models\n"
      "  postage models --formulas\n"
      "  postage models plogp");
  command.action([options] { run(*options); });
}

}  // namespace postage
