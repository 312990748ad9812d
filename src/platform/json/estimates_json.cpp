#include "platform/json/estimates_json.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void append(Json& array, const Estimate& estimate) {
  array.push_back(estimate.value);
  if (estimate != Estimate::exactly(estimate.value)) {
    array.push_back(estimate.lower);
    array.push_back(estimate.upper);
  }
}

/// The estimate whose value stands at `first` of an array, alone or with its bounds behind it.
Estimate read_items(const JsonField& field, std::size_t first, const char* what) {
  const std::vector<JsonField> items = field.items();
  if (items.size() == first + 1) {
    return Estimate::exactly(items[first].number());
  }
  if (items.size() != first + 3) {
    throw field.wrong(what);
  }
  return {items[first].number(), items[first + 1].bound(-kInfinity), items[first + 2].bound(kInfinity)};
}

Estimate read_named(const JsonField& field) {
  return {field["value"].number(), field["lower"].bound(-kInfinity), field["upper"].bound(kInfinity)};
}

}  // namespace

Json to_json(const Estimate& estimate) {
  if (estimate == Estimate::exactly(estimate.value)) {
    return estimate.value;
  }
  Json array = Json::array();
  append(array, estimate);
  return array;
}

Estimate read_estimate(const JsonField& field) {
  if (field.is_object()) {
    return read_named(field);
  }
  return field.is_array() ? read_items(field, 0, "a number or [value, lower, upper]")
                          : Estimate::exactly(field.number());
}

Json to_json(const ParameterPoint& point) {
  Json array = Json::array();
  array.push_back(point.bytes);
  append(array, point.estimate);
  return array;
}

ParameterPoint read_curve_point(const JsonField& field) {
  if (field.is_object()) {
    return {field["bytes"].count<Bytes>(), read_named(field)};
  }
  constexpr const char* kRight = "[bytes, value] or [bytes, value, lower, upper]";
  const Estimate estimate = read_items(field, 1, kRight);
  return {field.items().front().count<Bytes>(), estimate};
}

Json to_json(const ParameterCurve& curve) {
  Json points = Json::array();
  for (const ParameterPoint& point : curve) {
    points.push_back(to_json(point));
  }
  return {{"points", std::move(points)}};
}

ParameterCurve read_curve(const JsonField& field) {
  ParameterCurve curve;
  field["points"].for_each_item([&](const JsonField& point) { curve.push_back(read_curve_point(point)); });
  if (curve.empty()) {
    throw field["points"].wrong("at least one point");
  }
  return curve;
}

Json to_json(const ParameterSurface& surface) {
  Json rows = Json::array();
  for (const ParameterRow& row : surface) {
    Json value = to_json(row.curve);
    value["at"] = row.at;
    rows.push_back(std::move(value));
  }
  return {{"rows", std::move(rows)}};
}

ParameterSurface read_surface(const JsonField& field) {
  ParameterSurface surface;
  field["rows"].for_each_item([&](const JsonField& row) { surface.push_back({row["at"].number(), read_curve(row)}); });
  if (surface.empty()) {
    throw field["rows"].wrong("at least one row");
  }
  return surface;
}

}  // namespace postage
