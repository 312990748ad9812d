#include "platform/json/measured_points_json.hpp"

#include "platform/json/estimates_json.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace postage {
namespace {

bool are_of_one_pair(const MeasuredPoint& a, const MeasuredPoint& b) {
  return a.source == b.source && a.target == b.target && a.channel == b.channel;
}

MeasuredPoint read_single(const JsonField& field) {
  return {field["source"].count<int>(),  field["target"].count<int>(),    field["channel"].text(),
          field["bytes"].count<Bytes>(), read_estimate(field["one_way"]), field["repetitions"].count<std::size_t>(),
          field["precise"].truth()};
}

void read_pair(const JsonField& field, std::vector<MeasuredPoint>& points) {
  const MeasuredPoint pair{field["source"].count<int>(), field["target"].count<int>(), field["channel"].text()};
  std::set<Bytes> imprecise;
  if (field.has("imprecise")) {
    field["imprecise"].for_each_item([&](const JsonField& bytes) { imprecise.insert(bytes.count<Bytes>()); });
  }
  const std::vector<JsonField> times = field["one_way"].items();
  const std::vector<JsonField> repetitions = field["repetitions"].items();
  if (times.size() != repetitions.size()) {
    throw field["repetitions"].wrong("as many numbers as one_way has points");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const ParameterPoint time = read_curve_point(times[i]);
    MeasuredPoint& point = points.emplace_back(pair);
    point.bytes = time.bytes;
    point.one_way = time.estimate;
    point.repetitions = repetitions[i].count<std::size_t>();
    point.precise = imprecise.count(time.bytes) == 0;
  }
}

/// Of points between the same two ranks.
Json entry_of(std::span<const MeasuredPoint> points) {
  Json one_way = Json::array();
  Json repetitions = Json::array();
  Json imprecise = Json::array();
  for (const MeasuredPoint& point : points) {
    one_way.push_back(to_json(ParameterPoint{point.bytes, point.one_way}));
    repetitions.push_back(point.repetitions);
    if (!point.precise) {
      imprecise.push_back(point.bytes);
    }
  }
  const MeasuredPoint& any = points.front();
  Json entry{{"source", any.source},
             {"target", any.target},
             {"channel", any.channel},
             {"one_way", std::move(one_way)},
             {"repetitions", std::move(repetitions)}};
  if (!imprecise.empty()) {
    entry["imprecise"] = std::move(imprecise);
  }
  return entry;
}

}  // namespace

Json to_json(const std::vector<MeasuredPoint>& points) {
  Json pairs = Json::array();
  for (auto first = points.begin(); first != points.end();) {
    const auto last = std::find_if_not(first, points.end(),
                                       [&](const MeasuredPoint& point) { return are_of_one_pair(*first, point); });
    pairs.push_back(entry_of({first, last}));
    first = last;
  }
  return pairs;
}

std::vector<MeasuredPoint> read_points(const JsonField& field) {
  std::vector<MeasuredPoint> points;
  field.for_each_item([&](const JsonField& entry) {
    if (entry.has("bytes")) {
      points.push_back(read_single(entry));
    } else {
      read_pair(entry, points);
    }
  });
  return points;
}

}  // namespace postage
