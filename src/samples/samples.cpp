#include "samples/measurement_tables.hpp"
#include "samples/sample_ranks.hpp"
#include "samples/settings_json.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/platform_json.hpp>
#include <postage/samples/samples.hpp>
#include <postage/samples/samples_json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace postage {
namespace {

constexpr int kFirstVersionWithPasses = 2;
constexpr std::int64_t kMostTimes = 1'000'000;  ///< of a pass, far more than are made
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Where all times are the same, as in most simulations, it is all that there is to say.
bool is_one_value(const Summary& s) {
  return s.median == s.minimum && s.median == s.maximum && s.median == s.mean && s.standard_deviation == 0 &&
         s.median_interval == Interval{s.median, s.median} && s.outliers == 0 && s.steady && s.modes.empty();
}

Json to_json(const Summary& s) {
  if (is_one_value(s)) {
    return {{"count", s.count}, {"median", s.median}};
  }
  Json value{{"count", s.count},
             {"median", s.median},
             {"mean", s.mean},
             {"standard_deviation", s.standard_deviation},
             {"minimum", s.minimum},
             {"maximum", s.maximum},
             {"median_lower", s.median_interval.lower},
             {"median_upper", s.median_interval.upper}};
  if (s.outliers > 0) {
    value["outliers"] = s.outliers;
  }
  if (!s.steady) {
    value["steady"] = false;
  }
  for (const Mode& mode : s.modes) {
    value["modes"].push_back({{"centre", mode.centre}, {"share", mode.share}});
  }
  return value;
}

Summary read_summary(const JsonField& field) {
  if (!field.has("mean")) {
    const double value = field["median"].number();
    return {.count = field["count"].count<std::size_t>(),
            .median = value,
            .mean = value,
            .minimum = value,
            .maximum = value,
            .median_interval = {value, value}};
  }
  Summary summary{.count = field["count"].count<std::size_t>(),
                  .median = field["median"].number(),
                  .mean = field["mean"].number(),
                  .standard_deviation = field["standard_deviation"].number(),
                  .minimum = field["minimum"].number(),
                  .maximum = field["maximum"].number(),
                  .median_interval = {field["median_lower"].bound(-kInfinity), field["median_upper"].bound(kInfinity)},
                  .outliers = field.has("outliers") ? field["outliers"].count<std::size_t>() : 0,
                  .steady = !field.has("steady") || field["steady"].truth()};
  if (field.has("modes")) {
    field["modes"].for_each_item([&](const JsonField& mode) {
      summary.modes.push_back({mode["centre"].number(), mode["share"].number()});
    });
  }
  return summary;
}

/// A pass of which all times are the median is written as their number, as most of simulations are.
Json passes_of(const Measurement& m) {
  Json passes = Json::array();
  for (const std::vector<double>& pass : m.passes) {
    const bool is_median = std::ranges::all_of(pass, [&](double time) { return time == m.summary.median; });
    passes.push_back(is_median && !pass.empty() ? Json(pass.size()) : Json(pass));
  }
  return passes;
}

std::vector<double> read_pass(const JsonField& field) {
  std::vector<double> times;
  field.for_each_item([&](const JsonField& value) { times.push_back(value.number()); });
  return times;
}

std::vector<std::vector<double>> read_passes(const JsonField& field, double median) {
  std::vector<std::vector<double>> passes;
  field.for_each_item([&](const JsonField& pass) {
    passes.push_back(pass.is_array()
                         ? read_pass(pass)
                         : std::vector<double>(static_cast<std::size_t>(pass.integer(1, kMostTimes)), median));
  });
  return passes;
}

std::vector<std::vector<std::vector<double>>> read_probes(const JsonField& field) {
  std::vector<std::vector<std::vector<double>>> probes;
  field.for_each_item([&](const JsonField& point) {
    probes.emplace_back();
    point.for_each_item([&](const JsonField& pass) { probes.back().push_back(read_pass(pass)); });
    const auto has_as_many = [](const std::vector<double>& a, const std::vector<double>& b) {
      return a.size() == b.size();
    };
    if (!std::ranges::equal(probes.back(), probes.front(), has_as_many)) {
      throw point.wrong("an array with as many times of each pass as the one before it");
    }
    for (const std::vector<double>& pass : probes.back()) {
      if (!std::ranges::all_of(pass, [](double time) { return time > 0; })) {
        throw point.wrong("an array of arrays of positive numbers");
      }
    }
  });
  return probes;
}

}  // namespace

Json to_json(const Measurement& m) {
  Json value{{"experiment", to_json(m.experiment)}, {"summary", to_json(m.summary)}};
  if (!m.precise) {
    value["precise"] = false;
  }
  if (m.inner != 1) {
    value["inner"] = m.inner;
  }
  if (m.late != 0) {
    value["late"] = m.late;
  }
  if (!m.passes.empty()) {
    value["passes"] = passes_of(m);
  }
  if (!m.processors.empty()) {
    value["processors"] = m.processors;
  }
  if (!m.links.empty()) {
    value["links"] = m.links;
  }
  return value;
}

/// None where the field is absent; else as many as there are passes, where that is given.
std::vector<double> read_by_pass(const JsonField& field, const char* name, std::optional<std::size_t> passes) {
  std::vector<double> values;
  if (field.has(name)) {
    field[name].for_each_item([&](const JsonField& value) { values.push_back(value.number()); });
    if (passes && values.size() != *passes) {
      throw field[name].wrong("an array with as many numbers as there are passes");
    }
  }
  return values;
}

Measurement read_measurement(const JsonField& field, ExperimentReader& experiment) {
  Measurement m{.experiment = experiment(field["experiment"]),
                .summary = read_summary(field["summary"]),
                .precise = !field.has("precise") || field["precise"].truth(),
                .inner = field.has("inner") ? field["inner"].count<int>() : 1,
                .late = field.has("late") ? field["late"].count<std::size_t>() : 0};
  if (field.has("passes")) {
    m.passes = read_passes(field["passes"], m.summary.median);
  }
  m.processors = read_by_pass(field, "processors", m.passes.size());
  m.links = read_by_pass(field, "links", m.passes.empty() ? std::nullopt : std::optional(m.passes.size()));
  return m;
}

Json to_json(const Control& c) {
  return {{"experiment", to_json(c.experiment)}, {"before", to_json(c.before)}, {"after", to_json(c.after)}};
}

Control read_control(const JsonField& field, ExperimentReader& experiment) {
  return {experiment(field["experiment"]), read_summary(field["before"]), read_summary(field["after"])};
}

namespace {

Json measurements_in(const SampleSet& samples) {
  std::vector<Json> all;
  all.reserve(samples.measurements.size());
  for (const Measurement& m : samples.measurements) {
    all.push_back(to_json(m));
  }
  return tables_of(all);
}

}  // namespace

Json to_json(const SampleSet& samples) {
  Json value{{"format", kSamplesFormat},
             {"version", kSamplesVersion},
             {"implementation", samples.implementation},
             {"is_virtual", samples.is_virtual},
             {"created", samples.created},
             {"settings", to_json(samples.settings)},
             {"interrupted", samples.interrupted},
             {"clock_error", samples.clock_error},
             {"clock_tick", samples.clock_tick},
             {"duration", samples.duration},
             {"rounds", samples.concurrent_sets},
             {"experiments", samples.experiments},
             {"nodes", Json::array()},
             {"ranks", Json::array()},
             {"measurements", measurements_in(samples)},
             {"controls", Json::array()}};
  const auto add = [&](const char* name, const auto& items) {
    for (const auto& item : items) {
      value[name].push_back(to_json(item));
    }
  };
  add("nodes", samples.nodes);
  add("ranks", samples.ranks);
  add("controls", samples.controls);
  if (!samples.probes.empty()) {
    value["probes"] = samples.probes;
  }
  if (samples.disturbed_passes > 0) {
    value["disturbed_passes"] = samples.disturbed_passes;
    value["repeated_passes"] = samples.repeated_passes;
  }
  if (!samples.ended_early.empty()) {
    value["ended_early"] = samples.ended_early;
  }
  if (!samples.unmade.empty()) {
    value["unmade"] = samples.unmade;
  }
  if (!samples.pair_probes.empty()) {
    value["pair_probes"] = to_json(samples.pair_probes);
  }
  if (!samples.left_out.empty()) {
    add("left_out", samples.left_out);
  }
  add_thresholds(value, samples.shm_protocols);
  if (!samples.name.empty()) {
    value["name"] = samples.name;
  }
  return value;
}

SampleSet samples_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kSamplesFormat, kSamplesVersion, source);
  const JsonField file(value, source);
  if (file["version"].count<int>() < kFirstVersionWithPasses) {
    throw Error(fmt::format("{} was written before samples had passes; measure again", source.string()));
  }
  SampleSet samples{.implementation = file["implementation"].text(),
                    .is_virtual = file["is_virtual"].truth(),
                    .created = file["created"].text(),
                    .settings = read_settings(file["settings"]),
                    .interrupted = file["interrupted"].truth(),
                    .clock_error = file["clock_error"].number(),
                    .clock_tick = file["clock_tick"].number(),
                    .duration = file["duration"].number(),
                    .concurrent_sets = file["rounds"].count<std::size_t>(),
                    .experiments = file["experiments"].count<std::size_t>()};
  const auto read_all = [&](const char* name, auto& items, const auto& read) {
    file[name].for_each_item([&](const JsonField& item) { items.push_back(read(item)); });
  };
  read_all("nodes", samples.nodes, read_node);
  read_all("ranks", samples.ranks, read_placement);
  ExperimentReader experiment;
  for_each_measurement(file["measurements"], [&](const JsonField& item) {
    samples.measurements.push_back(read_measurement(item, experiment));
  });
  read_all("controls", samples.controls, [&](const JsonField& item) { return read_control(item, experiment); });
  if (file.has("probes")) {
    samples.probes = read_probes(file["probes"]);
  }
  if (file.has("disturbed_passes")) {
    samples.disturbed_passes = file["disturbed_passes"].count<std::size_t>();
    samples.repeated_passes = file["repeated_passes"].count<std::size_t>();
  }
  samples.ended_early = file.has("ended_early") ? file["ended_early"].text() : "";
  if (file.has("unmade")) {
    file["unmade"].for_each_item([&](const JsonField& item) { samples.unmade.push_back(item.text()); });
  }
  if (file.has("pair_probes")) {
    samples.pair_probes = read_pair_probes(file["pair_probes"], static_cast<int>(samples.ranks.size()));
  }
  if (file.has("left_out")) {
    read_all("left_out", samples.left_out, [&](const JsonField& item) { return experiment(item); });
  }
  samples.shm_protocols = read_all_thresholds(file);
  samples.name = file.has("name") ? file["name"].text() : "";
  check_ranks(samples, file);
  return samples;
}

}  // namespace postage
