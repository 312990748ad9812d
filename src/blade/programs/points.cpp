#include "blade/programs/points.hpp"

#include "blade/transport/collective.hpp"

#include <postage/base/entries.hpp>
#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace postage::blade {
namespace {

/// Adds "x=3" to the parameters.
void parse_parameter(const std::string& word, ParameterValues& parameters) {
  const auto at = word.find('=');
  Index value = 0;
  const char* const end = word.data() + word.size();
  if (at == 0 || at == std::string::npos || std::from_chars(word.data() + at + 1, end, value).ptr != end) {
    throw UsageError(fmt::format("'{}' is not NAME=VALUE, like x=3", word));
  }
  parameters[word.substr(0, at)] = value;
}

BladePoint parse_point(const std::string& line) {
  std::istringstream words(line);
  std::string ranks;
  std::string run;
  words >> ranks >> run;
  BladePoint point{.batch = parse_batch_point(ranks + " " + run)};
  for (std::string word; words >> word;) {
    parse_parameter(word, point.parameters);
  }
  return point;
}

/// Every rank has a part of a vector that is scattered.
Bytes element_bytes_of(const BladePoint& point) {
  const CollectiveRun& run = point.batch.run;
  const Bytes part = run.bytes / point.batch.ranks;
  return element_bytes_for(run.collective, part * point.batch.ranks == run.bytes ? part : run.bytes);
}

Schedule schedule_of(const BladePoint& point) {
  const CollectiveRun& run = point.batch.run;
  return build_schedule(find_algorithm(run.collective, run.algorithm), {.ranks = point.batch.ranks,
                                                                        .root = run.root,
                                                                        .bytes = run.bytes,
                                                                        .element_bytes = element_bytes_of(point),
                                                                        .segment_bytes = run.segment_bytes,
                                                                        .parameters = point.parameters});
}

Json run_point(Machine& machine, const BladePoint& point) {
  const CollectiveRun& run = point.batch.run;
  if (point.batch.ranks > CellHardware::kSpesOfBlade) {
    throw UsageError(fmt::format("{} ranks; a blade has {} SPEs", point.batch.ranks, CellHardware::kSpesOfBlade));
  }
  const Schedule schedule = schedule_of(point);
  const Bytes memory = memory_of(schedule);
  Json result{{"ranks", point.batch.ranks},
              {"run", format_collective_run(run)},
              {"parameters", Json::object()},
              {"local_store_bytes", memory},
              {"seconds", nullptr}};
  for (const auto& [name, value] : point.parameters) {
    result["parameters"][name] = value;
  }
  if (memory <= machine.hardware().local_store) {
    result["seconds"] = machine.hardware().seconds(run_collective(machine, schedule, element_bytes_of(point)));
  }
  return result;
}

}  // namespace

std::vector<BladePoint> parse_points(const std::string& text, const std::string& source) {
  return parse_entries<BladePoint>(text, source, parse_point);
}

Json run_points(Machine& machine, const std::vector<BladePoint>& points) {
  Json results = Json::array();
  for (const BladePoint& point : points) {
    results.push_back(run_point(machine, point));
  }
  return results;
}

}  // namespace postage::blade
