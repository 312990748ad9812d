#include "cli/tables/explain_errors.hpp"

#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/samples/sample_files.hpp>
#include <postage/validate/attribution.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// Causes that explain less than this are noise beside the first.
constexpr double kLeastExplained = 0.02;
constexpr std::size_t kMostCauses = 8;
constexpr double kNothingToExplain = 1e-3;

std::string_view name_of(CauseKind kind) {
  return kind == CauseKind::kParameter ? "parameter" : kind == CauseKind::kStage ? "stage" : "missing";
}

void print_collectives(const Attribution& attribution) {
  using Align = Table::Align;
  Table table({{"collective"}, {"measured", Align::kRight}, {"predicted", Align::kRight}, {"error", Align::kRight}});
  for (const TimedCollective& one : attribution.collectives) {
    table.add_row({one.name, format_seconds(one.measured), format_seconds(one.predicted),
                   signed_percent(one.predicted / one.measured - 1)});
  }
  fmt::print("{}", table.render(output_width()));
}

void print_steps(const Attribution& attribution) {
  if (attribution.steps.empty()) {
    return;
  }
  using Align = Table::Align;
  Table table({{"step"}, {"measured", Align::kRight}, {"predicted", Align::kRight}, {"missing", Align::kRight}});
  for (const StepTime& step : attribution.steps) {
    const Seconds missing = step.measured - step.predicted;
    table.add_row({step.name, format_seconds(step.measured), format_seconds(step.predicted),
                   fmt::format("{}{}", missing < 0 ? "-" : "", format_seconds(std::abs(missing)))});
  }
  fmt::print("\n{}, by steps:\n{}", attribution.steps_of, table.render(output_width()));
}

void print_causes(const Attribution& attribution) {
  if (std::sqrt(attribution.squared_error) < kNothingToExplain) {
    fmt::print("\nPredictions are within {:g} %: there is nothing to explain\n", 100 * kNothingToExplain);
    return;
  }
  Table table({{"explains", Table::Align::kRight}, {"by"}, {"term"}, {""}});
  std::size_t shown = 0;
  std::size_t alike = 0;
  for (const Cause& cause : attribution.causes) {
    if (shown == kMostCauses || (shown > 0 && cause.explained < kLeastExplained)) {
      break;
    }
    ++shown;
    alike += cause.like_first ? 1 : 0;
    table.add_row({fmt::format("{:.0f} %", 100 * cause.explained), cause.change,
                   fmt::format("{}, {}", cause.term, name_of(cause.kind)), cause.like_first ? "=" : ""});
  }
  fmt::print("\nWhat explains most of the squared errors, each by itself:\n{}", table.render(output_width()));
  if (!attribution.can_tell()) {
    fmt::print(
        "{} says how much is missing, not of what: time the algorithm at other sizes and numbers of ranks, too\n",
        attribution.collectives.size() == 1 ? "One time" : "Two times");
  } else if (alike > 0) {
    fmt::print("= these samples do not tell it from the first one\n");
  }
}

void print(const Attribution& attribution, const std::string& model) {
  fmt::print("predicted by {}\n", model);
  print_collectives(attribution);
  print_steps(attribution);
  print_causes(attribution);
  fmt::print("\n");
}

Json to_json(const Attribution& attribution, const std::string& model) {
  Json collectives = Json::array();
  for (const TimedCollective& one : attribution.collectives) {
    collectives.push_back({{"name", one.name}, {"measured", one.measured}, {"predicted", one.predicted}});
  }
  Json causes = Json::array();
  for (const Cause& cause : attribution.causes) {
    causes.push_back({{"kind", name_of(cause.kind)},
                      {"term", cause.term},
                      {"factor", cause.factor},
                      {"change", cause.change},
                      {"explained", cause.explained},
                      {"like_first", cause.like_first}});
  }
  Json steps = Json::array();
  for (const StepTime& step : attribution.steps) {
    steps.push_back({{"name", step.name}, {"measured", step.measured}, {"predicted", step.predicted}});
  }
  return {{"model", model},
          {"collectives", std::move(collectives)},
          {"steps", std::move(steps)},
          {"causes", std::move(causes)},
          {"can_tell", attribution.can_tell()}};
}

}  // namespace

void explain_errors(const JobCommand& options, const JobPlatform& platform, const std::vector<std::string>& samples) {
  if (options.collective == "p2p") {
    throw UsageError("--against explains collectives; postage validate compares messages with predictions");
  }
  const SampleSet timed = load_samples(samples);
  if (!platform.map.is_single() && static_cast<std::int32_t>(timed.ranks.size()) > platform.map.mapping().capacity()) {
    throw UsageError(fmt::format("the samples are of {} ranks, the platform has {}: give the samples' own platform",
                                 timed.ranks.size(), platform.map.mapping().capacity()));
  }
  const Collective collective = collective_of(options);
  std::vector<std::string> algorithms{options.algorithm};
  if (options.algorithm == "all") {
    algorithms = timed_algorithms(timed, collective);
  }
  if (algorithms.empty()) {
    throw UsageError(fmt::format("the samples have no {}; time it with --collective {}:ALGORITHM:SIZE",
                                 options.collective, options.collective));
  }
  Json list = Json::array();
  for (const std::string& algorithm : algorithms) {
    for (const PlatformModel& model : platform.models) {
      const Attribution attribution = attribute_errors(timed, collective, algorithm, model, given_evaluator(options));
      if (options.json) {
        list.push_back(to_json(attribution, model.name()));
      } else {
        fmt::print("{} {}, ", options.collective, algorithm);
        print(attribution, model.name());
      }
    }
  }
  if (options.json) {
    fmt::print("{}\n", with_choice(std::move(list), platform).dump(1));
  } else {
    print_choice(platform);
  }
}

}  // namespace postage
