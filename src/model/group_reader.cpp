#include <postage/model/group_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

template <typename Named>
const typename Named::mapped_type* find(const Named& named, std::string_view symbol) {
  const auto found = named.find(std::string(symbol));
  return found == named.end() ? nullptr : &found->second;
}

double end_of(const Estimate& estimate, Bound bound) {
  return bound == Bound::kLower ? estimate.lower : bound == Bound::kUpper ? estimate.upper : estimate.value;
}

}  // namespace

std::string describe(const ParameterScope& scope) {
  if (scope.is_processor()) {
    return fmt::format("the processor of rank {}{}", scope.processor,
                       scope.channel.empty() ? "" : " on channel " + scope.channel);
  }
  return scope.is_pair() ? fmt::format("ranks {} and {}", scope.first, scope.second)
                         : fmt::format("channel {}", scope.channel);
}

Error GroupReader::wrong(std::string_view symbol, std::string_view what) const {
  return Error(
      fmt::format("parameter {} of the {} model for {} {}", symbol, table_->model, describe(group_->scope), what));
}

Error GroupReader::missing(std::string_view symbol) const {
  return Error(fmt::format("the {} model has no parameter {} for {}", table_->model, symbol, describe(group_->scope)));
}

bool GroupReader::has(std::string_view symbol) const {
  return find(group_->values, symbol) != nullptr || find(group_->curves, symbol) != nullptr ||
         find(group_->surfaces, symbol) != nullptr;
}

double GroupReader::at_bound(std::string_view symbol, const Estimate& estimate, Bound bound) const {
  const double value = end_of(estimate, bound);
  if (!std::isfinite(value) || estimate.value < 0) {
    throw wrong(symbol, fmt::format("is {}; it must be a number of at least 0", value));
  }
  // An interval may reach below zero; a cost cannot.
  return std::max(value, 0.0);
}

const Estimate& GroupReader::estimate(std::string_view symbol) const {
  const Estimate* estimate = find(group_->values, symbol);
  if (estimate == nullptr) {
    throw has(symbol) ? wrong(symbol, "is a curve; it must be one value") : missing(symbol);
  }
  return *estimate;
}

double GroupReader::value(std::string_view symbol) const {
  return at_bound(symbol, estimate(symbol), bound_);
}

double GroupReader::value_or(std::string_view symbol, double otherwise) const {
  return has(symbol) ? value(symbol) : otherwise;
}

double GroupReader::exact(std::string_view symbol) const {
  return at_bound(symbol, estimate(symbol), Bound::kValue);
}

double GroupReader::exact_or(std::string_view symbol, double otherwise) const {
  return has(symbol) ? exact(symbol) : otherwise;
}

double GroupReader::signed_value(std::string_view symbol) const {
  const double value = end_of(estimate(symbol), bound_);
  if (!std::isfinite(value)) {
    throw wrong(symbol, fmt::format("is {}; it must be a finite number", value));
  }
  return value;
}

double GroupReader::inverse(std::string_view symbol) const {
  const Bound other = bound_ == Bound::kLower ? Bound::kUpper : bound_ == Bound::kUpper ? Bound::kLower : Bound::kValue;
  const double rate = at_bound(symbol, estimate(symbol), other);
  if (!(rate > 0)) {
    throw wrong(symbol, fmt::format("is {}; it and its interval must be above 0", rate));
  }
  if (!std::isfinite(1 / rate)) {
    throw wrong(symbol, fmt::format("is {}, too small to divide by", rate));
  }
  return 1 / rate;
}

CostCurve GroupReader::to_curve(std::string_view symbol, const ParameterCurve& points) const {
  std::vector<CostCurve::Point> list;
  for (const ParameterPoint& point : points) {
    if (point.bytes < 0 || (!list.empty() && static_cast<double>(point.bytes) <= list.back().at)) {
      throw wrong(symbol, fmt::format("has the size {} out of order; a curve's sizes must ascend from 0 or above",
                                      format_bytes(point.bytes)));
    }
    list.push_back({static_cast<double>(point.bytes), at_bound(symbol, point.estimate, bound_)});
  }
  if (list.empty()) {
    throw wrong(symbol, "is a curve without points; it needs at least one");
  }
  return CostCurve(std::move(list));
}

CostCurve GroupReader::curve(std::string_view symbol) const {
  if (const ParameterCurve* points = find(group_->curves, symbol)) {
    return to_curve(symbol, *points);
  }
  if (find(group_->surfaces, symbol) != nullptr) {
    throw wrong(symbol, "is a surface; it must be a value, or a curve over the size");
  }
  return CostCurve::constant(value(symbol));
}

CostSurface GroupReader::surface(std::string_view symbol) const {
  const ParameterSurface* surface = find(group_->surfaces, symbol);
  if (surface == nullptr) {
    return CostSurface({{1, curve(symbol)}});
  }
  std::vector<CostSurface::Row> rows;
  for (const ParameterRow& row : *surface) {
    if (!std::isfinite(row.at) || row.at < 0 || (!rows.empty() && row.at <= rows.back().at)) {
      throw wrong(symbol, fmt::format("has the row of {} out of order; a surface's rows must ascend", row.at));
    }
    rows.push_back({row.at, to_curve(symbol, row.curve)});
  }
  if (rows.empty()) {
    throw wrong(symbol, "is a surface without rows; it needs at least one");
  }
  return CostSurface(std::move(rows));
}

std::vector<std::string> GroupReader::symbols_with_prefix(std::string_view prefix) const {
  std::vector<std::string> found;
  const auto add = [&](const auto& named) {
    for (const auto& [symbol, parameter] : named) {
      if (symbol.starts_with(prefix)) {
        found.push_back(symbol);
      }
    }
  };
  add(group_->values);
  add(group_->curves);
  add(group_->surfaces);
  return found;
}

}  // namespace postage
