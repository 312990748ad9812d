#include "python/platforms.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

namespace postage::python {
namespace {

/// What was measured, a column each.
py::dict points_of(const Platform& platform) {
  std::vector<std::int64_t> source, target, bytes;
  std::vector<double> seconds, lower, upper;
  py::list channel;
  for (const MeasuredPoint& point : platform.points) {
    source.push_back(point.source);
    target.push_back(point.target);
    bytes.push_back(point.bytes);
    seconds.push_back(point.one_way.value);
    lower.push_back(point.one_way.lower);
    upper.push_back(point.one_way.upper);
    channel.append(point.channel);
  }
  py::dict columns;
  columns["source"] = array_of(source);
  columns["target"] = array_of(target);
  columns["channel"] = channel;
  columns["bytes"] = array_of(bytes);
  columns["seconds"] = array_of(seconds);
  columns["lower"] = array_of(lower);
  columns["upper"] = array_of(upper);
  return columns;
}

py::tuple to_python(const Estimate& estimate) {
  return py::make_tuple(estimate.value, estimate.lower, estimate.upper);
}

/// Sizes, values and both ends of their intervals, an array each.
py::tuple to_python(const ParameterCurve& curve) {
  std::vector<std::int64_t> bytes;
  std::vector<double> value, lower, upper;
  for (const ParameterPoint& point : curve) {
    bytes.push_back(point.bytes);
    value.push_back(point.estimate.value);
    lower.push_back(point.estimate.lower);
    upper.push_back(point.estimate.upper);
  }
  return py::make_tuple(array_of(bytes), array_of(value), array_of(lower), array_of(upper));
}

/// Curves by what the parameter depends on beside the size.
py::dict to_python(const ParameterSurface& surface) {
  py::dict rows;
  for (const ParameterRow& row : surface) {
    rows[py::float_(row.at)] = to_python(row.curve);
  }
  return rows;
}

template <typename Parameters>
py::dict by_symbol(const Parameters& parameters) {
  py::dict all;
  for (const auto& [symbol, parameter] : parameters) {
    all[py::str(symbol)] = to_python(parameter);
  }
  return all;
}

/// Throws UsageError where the platform has no such model.
py::list parameters_of(const Platform& platform, const std::string& model) {
  const ParameterTable* table = find_table(model, platform.models);
  if (table == nullptr) {
    std::vector<std::string> names;
    for (const ParameterTable& one : platform.models) {
      names.push_back(one.model);
    }
    throw UsageError(fmt::format("platform {} has no parameters of the {} model; it has {}", platform.name, model,
                                 fmt::join(names, ", ")));
  }
  py::list groups;
  for (const ParameterGroup& group : table->groups) {
    const ParameterScope& scope = group.scope;
    groups.append(py::make_tuple(scope.channel, scope.first, scope.second, scope.processor, group.from_bytes,
                                 by_symbol(group.values), by_symbol(group.curves), by_symbol(group.surfaces)));
  }
  return groups;
}

}  // namespace

void add_platform(py::module_& module) {
  py::class_<Platform, std::shared_ptr<Platform>>(module, "Platform")
      .def(py::init([](const std::string& path) { return std::make_shared<Platform>(read_platform(path)); }))
      .def("document", [](const Platform& platform) { return to_python(to_json(platform)); })
      .def("parameters", &parameters_of)
      .def("points", &points_of);
}

}  // namespace postage::python
