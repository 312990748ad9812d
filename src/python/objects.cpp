#include "python/objects.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage::python {
namespace {

template <typename Value>
void take(const py::dict& given, const char* name, Value& value) {
  if (!given.contains(name)) {
    return;
  }
  try {
    value = given[name].cast<Value>();
  } catch (const py::cast_error&) {
    throw py::type_error(fmt::format("{}={} is of a wrong type", name, py::repr(given[name]).cast<std::string>()));
  }
}

/// What predictions and schedules have in common.
template <typename Options>
void take_common(const py::dict& given, Options& options) {
  take(given, "collective", options.collective);
  take(given, "algorithm", options.algorithm);
  take(given, "ranks", options.ranks);
  take(given, "root", options.root);
  take(given, "segment", options.segment);
  take(given, "settings", options.settings);
  take(given, "counts_file", options.counts.file);
  take(given, "element", options.counts.element);
  if (given.contains("counts")) {
    options.counts.given = counts_from_python(given["counts"]);
  }
  take(given, "stride", options.strides.stride);
  take(given, "run", options.strides.run);
  take(given, "within", options.node_aware.within);
  take(given, "among", options.node_aware.among);
  take(given, "nodes", options.mapping.nodes);
  take(given, "per_node", options.mapping.per_node);
  take(given, "mapping", options.mapping.mapping);
  take(given, "platform", options.platform);
}

}  // namespace

py::object to_python(const Json& value) {
  if (value.is_object()) {
    py::dict members;
    for (const JsonMember& member : value.members()) {
      members[py::str(member.name)] = to_python(member.value);
    }
    return members;
  }
  if (value.is_array()) {
    py::list items;
    for (const Json& item : value) {
      items.append(to_python(item));
    }
    return items;
  }
  if (value.is_text()) {
    return py::str(value.text());
  }
  if (value.is_boolean()) {
    return py::bool_(value.truth());
  }
  if (value.is_integer()) {
    return py::int_(value.integer());
  }
  return value.is_number() ? py::object(py::float_(value.number())) : py::object(py::none());
}

Json counts_from_python(const py::handle& value) {
  if (py::isinstance<py::sequence>(value) && !py::isinstance<py::str>(value)) {
    Json list = Json::array();
    for (const py::handle& item : value) {
      list.push_back(counts_from_python(item));
    }
    return list;
  }
  try {
    return Json(value.cast<long long>());
  } catch (const py::cast_error&) {
    throw UsageError(fmt::format("counts: {} is no whole number", py::repr(value).cast<std::string>()));
  }
}

JobOptions job_options(const py::dict& given) {
  JobOptions options;
  take_common(given, options);
  take(given, "size", options.sizes);
  take(given, "by_hand", options.strides.by_hand);
  take(given, "schedule", options.schedule);
  take(given, "src", options.source);
  take(given, "dst", options.target);
  take(given, "model", options.model);
  take(given, "calls", options.calls);
  take(given, "params", options.parameters);
  take(given, "levels", options.levels);
  take(given, "evaluator", options.evaluator);
  take(given, "max_extrapolation", options.max_extrapolation);
  if (given.contains("known_platform")) {
    options.known_platform = given["known_platform"].cast<std::shared_ptr<Platform>>();
  }
  return options;
}

ScheduleOptions schedule_options(const py::dict& given) {
  ScheduleOptions options;
  take_common(given, options);
  take(given, "size", options.size);
  take(given, "schedule", options.schedule);
  return options;
}

}  // namespace postage::python
