#include "measure/samples_json.hpp"
#include "platform/platform_json.hpp"

#include <postage/base/files.hpp>
#include <postage/measure/samples.hpp>

#include <limits>

namespace postage {
namespace {

using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

json to_json(const Experiment& e) {
  json value{{"kind", e.kind}};
  if (e.kind == "collective") {
    value.update({{"collective", e.collective},
                  {"algorithm", e.algorithm},
                  {"bytes", e.bytes},
                  {"segment_bytes", e.segment_bytes},
                  {"root", e.root},
                  {"ranks", e.ranks},
                  {"method", e.method}});
  } else {
    value.update({{"source", e.source},
                  {"target", e.target},
                  {"bytes", e.bytes},
                  {"reply_bytes", e.reply_bytes},
                  {"messages", e.messages},
                  {"delay", e.delay}});
  }
  return value;
}

Experiment read_experiment(const JsonField& field) {
  Experiment e{.kind = field["kind"].text(), .bytes = field["bytes"].count<Bytes>()};
  if (e.kind == "collective") {
    e.collective = field["collective"].text();
    e.algorithm = field["algorithm"].text();
    e.segment_bytes = field["segment_bytes"].count<Bytes>();
    e.root = field["root"].count<std::int32_t>();
    e.ranks = field["ranks"].count<std::int32_t>();
    e.method = field["method"].text();
  } else {
    e.source = field["source"].count<std::int32_t>();
    e.target = field["target"].count<std::int32_t>();
    e.reply_bytes = field["reply_bytes"].count<Bytes>();
    e.messages = field["messages"].count<int>();
    e.delay = field["delay"].number();
  }
  return e;
}

json to_json(const Summary& s) {
  return {{"count", s.count},
          {"median", s.median},
          {"mean", s.mean},
          {"standard_deviation", s.standard_deviation},
          {"minimum", s.minimum},
          {"maximum", s.maximum},
          {"median_lower", s.median_interval.lower},
          {"median_upper", s.median_interval.upper},
          {"outliers", s.outliers}};
}

Summary read_summary(const JsonField& field) {
  return {.count = field["count"].count<std::size_t>(),
          .median = field["median"].number(),
          .mean = field["mean"].number(),
          .standard_deviation = field["standard_deviation"].number(),
          .minimum = field["minimum"].number(),
          .maximum = field["maximum"].number(),
          .median_interval = {field["median_lower"].bound(-kInfinity), field["median_upper"].bound(kInfinity)},
          .outliers = field["outliers"].count<std::size_t>()};
}

json to_json(const MeasureSettings& s) {
  return {{"precision", s.precision},
          {"confidence", s.confidence},
          {"budget", s.budget},
          {"warm_up", s.warm_up},
          {"least_repetitions", s.least_repetitions},
          {"most_repetitions", s.most_repetitions},
          {"keep_values", s.keep_values}};
}

MeasureSettings read_settings(const JsonField& field) {
  return {.precision = field["precision"].number(),
          .confidence = field["confidence"].number(),
          .budget = field["budget"].number(),
          .warm_up = field["warm_up"].count<int>(),
          .least_repetitions = field["least_repetitions"].count<int>(),
          .most_repetitions = field["most_repetitions"].count<int>(),
          .keep_values = field["keep_values"].truth()};
}

}  // namespace

json to_json(const Measurement& m) {
  json value{{"experiment", to_json(m.experiment)}, {"summary", to_json(m.summary)}, {"precise", m.precise}};
  if (!m.values.empty()) {
    value["values"] = m.values;
  }
  return value;
}

Measurement read_measurement(const JsonField& field) {
  Measurement m{.experiment = read_experiment(field["experiment"]),
                .summary = read_summary(field["summary"]),
                .precise = field["precise"].truth()};
  if (field.has("values")) {
    field["values"].for_each_item([&](const JsonField& value) { m.values.push_back(value.number()); });
  }
  return m;
}

json to_json(const SampleSet& samples) {
  json value{
      {"format", kSamplesFormat},         {"version", kSamplesVersion}, {"implementation", samples.implementation},
      {"is_virtual", samples.is_virtual}, {"created", samples.created}, {"settings", to_json(samples.settings)},
      {"nodes", json::array()},           {"ranks", json::array()},     {"measurements", json::array()}};
  for (const Node& node : samples.nodes) {
    value["nodes"].push_back(to_json(node));
  }
  for (const RankPlace& place : samples.ranks) {
    value["ranks"].push_back(to_json(place));
  }
  for (const Measurement& measurement : samples.measurements) {
    value["measurements"].push_back(to_json(measurement));
  }
  add_thresholds(value, samples.channel_thresholds);
  return value;
}

SampleSet samples_from_json(const json& value, const std::filesystem::path& source) {
  check_envelope(value, kSamplesFormat, kSamplesVersion, source);
  const JsonField file(value, source);
  SampleSet samples{.implementation = file["implementation"].text(),
                    .is_virtual = file["is_virtual"].truth(),
                    .created = file["created"].text(),
                    .settings = read_settings(file["settings"])};
  file["nodes"].for_each_item([&](const JsonField& node) { samples.nodes.push_back(read_node(node)); });
  file["ranks"].for_each_item([&](const JsonField& place) { samples.ranks.push_back(read_place(place)); });
  file["measurements"].for_each_item(
      [&](const JsonField& item) { samples.measurements.push_back(read_measurement(item)); });
  samples.channel_thresholds = read_all_thresholds(file);
  return samples;
}

}  // namespace postage
