#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/tuning/watch.hpp>

#include <utility>

namespace postage {

Json to_json(const Baseline& baseline) {
  Json runs = Json::array();
  for (const SampleSet& run : baseline.runs) {
    runs.push_back(to_json(run));
  }
  return Json{{"format", kBaselineFormat}, {"version", kBaselineVersion}, {"runs", std::move(runs)}};
}

Baseline baseline_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kBaselineFormat, kBaselineVersion, source);
  const JsonField runs = JsonField(value, source)["runs"];
  Baseline baseline;
  runs.for_each_item([](const JsonField&) {});  // refuses what is no array
  for (const Json& run : value["runs"]) {
    baseline.runs.push_back(samples_from_json(run, source));
  }
  if (baseline.runs.empty()) {
    throw runs.wrong("at least one run");
  }
  for (const SampleSet& run : baseline.runs) {
    if (run.ranks.size() != baseline.runs.front().ranks.size()) {
      throw runs.wrong("runs of the same number of ranks");
    }
  }
  return baseline;
}

Baseline read_baseline(const std::filesystem::path& path) {
  return baseline_from_json(read_json(path), path);
}

}  // namespace postage
