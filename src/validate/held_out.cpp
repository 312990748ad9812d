#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/validate/held_out.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace postage {
namespace {

/// Between the powers of two that measure uses by default.
constexpr const char* kHeldOutSizes = "3:3M:x2";
constexpr const char* kHeldOutVirtualSizes = "3:768K:x8";

/// Every algorithm that the number of ranks allows, at a small, a middle and a large size, whole and in segments.
std::vector<std::string> default_collectives(Rank ranks) {
  std::vector<std::string> runs;
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_timed = algorithm.collective == Collective::kBarrier || algorithm.collective == Collective::kBcast;
    if (!is_timed || !can_do(algorithm, ranks)) {
      continue;
    }
    if (algorithm.collective == Collective::kBarrier) {
      runs.push_back(fmt::format("barrier:{}:0", algorithm.name));
      continue;
    }
    for (const Bytes bytes : {Bytes{12}, Bytes{3} << 10, Bytes{96} << 10, Bytes{768} << 10}) {
      runs.push_back(format_collective_run({algorithm.collective, std::string(algorithm.name), bytes}));
      if (algorithm.segmentable && bytes >= (Bytes{96} << 10)) {
        runs.push_back(format_collective_run({algorithm.collective, std::string(algorithm.name), bytes, bytes / 12}));
      }
    }
  }
  return runs;
}

/// Two of the sizes that the platform was measured at, a small and a large one: they show whether the machine has
/// changed.
std::string control_sizes(const Platform& platform) {
  std::set<std::string> sizes;
  for (const double wanted : {1024.0, 262144.0}) {
    const auto distance = [&](const MeasuredPoint& point) {
      return std::abs(std::log(std::max(static_cast<double>(point.bytes), 0.5) / wanted));
    };
    const auto nearest =
        std::min_element(platform.points.begin(), platform.points.end(),
                         [&](const MeasuredPoint& a, const MeasuredPoint& b) { return distance(a) < distance(b); });
    if (nearest != platform.points.end()) {
      sizes.insert(std::to_string(nearest->bytes));
    }
  }
  return sizes.empty() ? "none" : fmt::format("{}", fmt::join(sizes, ","));
}

/// A size that the platform was measured at would validate a fit on its own data.
void check_held_out(const std::string& sizes, const Platform& platform) {
  std::set<Bytes> fitted;
  for (const MeasuredPoint& point : platform.points) {
    fitted.insert(point.bytes);
  }
  for (const Bytes bytes : parse_sizes(sizes)) {
    if (fitted.count(bytes) > 0) {
      throw UsageError(
          fmt::format("--sizes contains {}, which the parameters of the platform were fitted to; give others, like {}",
                      format_bytes(bytes), kHeldOutSizes));
    }
  }
}

ValidationRow measured_row(const Measurement& m, double factor) {
  const Experiment& e = m.experiment;
  const bool is_message = e.kind == ExperimentKind::kRoundtrip;
  return {.collective = is_message ? "p2p" : e.collective,
          .algorithm = e.algorithm,
          .ranks = is_message ? 2 : e.ranks,
          .bytes = e.bytes,
          .segment = e.segment_bytes,
          .root = e.root,
          .source = e.source,
          .target = std::max(e.target, 0),  // a collective names none
          .measured = m.summary.median * factor,
          .measured_lower = m.summary.median_interval.lower * factor,
          .measured_upper = m.summary.median_interval.upper * factor,
          .repetitions = m.summary.count,
          .precise = m.precise,
          .strides = is_message ? Strides{} : collective_run_of(e).strides};
}

Prediction predict_row(const ValidationRow& row, const PlatformModel& model) {
  if (row.collective == "p2p") {
    return predict_message(row.source, row.target, row.bytes, model);
  }
  const CollectiveRun run{.collective = parse_collective(row.collective),
                          .algorithm = row.algorithm,
                          .bytes = row.bytes,
                          .segment_bytes = row.segment,
                          .root = row.root,
                          .strides = row.strides};
  return predict(schedule_of(run, row.ranks), model, std::nullopt, Effort::kThorough);
}

bool is_same(const MeasuredPoint& point, const Experiment& experiment) {
  return point.bytes == experiment.bytes &&
         std::minmax(point.source, point.target) == std::minmax(experiment.source, experiment.target);
}

}  // namespace

std::vector<std::string> held_out_experiments(const HeldOutRequest& request, const Platform& platform) {
  const std::string usual = request.is_virtual ? kHeldOutVirtualSizes : kHeldOutSizes;
  const std::string sizes = request.sizes.empty() ? usual : request.sizes;
  if (sizes != "none") {
    check_held_out(sizes, platform);
  }
  std::vector<std::string> words{"--sizes",          sizes,  "--train-sizes",   "none",
                                 "--overhead-sizes", "none", "--control-sizes", control_sizes(platform)};
  const std::vector<std::string> runs =
      request.collectives.empty() ? default_collectives(static_cast<Rank>(platform.ranks.size())) : request.collectives;
  for (const std::string& run : runs) {
    if (run != "none") {
      if (parse_collective_run(run).is_library()) {
        throw UsageError(fmt::format("{}: no model predicts whichever algorithm the library takes; name one", run));
      }
      words.insert(words.end(), {"--collective", run});
    }
  }
  return words;
}

std::vector<std::string> changes_since(const Platform& platform, const SampleSet& samples) {
  std::vector<std::string> changes;
  for (const Control& control : samples.controls) {
    const Experiment& e = control.experiment;
    for (const MeasuredPoint& point : platform.points) {
      const Summary then{.median = 2 * point.one_way.value,
                         .median_interval = {2 * point.one_way.lower, 2 * point.one_way.upper}};
      if (is_same(point, e) && has_changed(then, control.before, samples.settings.precision)) {
        changes.push_back(fmt::format(
            "a {} of {} took {} when the platform was measured and takes {} now ({:+.0f} %); the errors below contain "
            "that change",
            describe(e), format_bytes(e.bytes), format_seconds(then.median), format_seconds(control.before.median),
            100 * (control.before.median / then.median - 1)));
      }
    }
  }
  return changes;
}

/// Where a platform of several hosts is validated on others. Of one host the name may have changed.
static void check_hosts(const SampleSet& samples, const Platform& platform) {
  for (const Node& node : samples.nodes) {
    const bool is_known = std::any_of(platform.nodes.begin(), platform.nodes.end(),
                                      [&](const Node& known) { return known.name == node.name; });
    if (!is_known && platform.nodes.size() > 1) {
      throw Error(
          fmt::format("platform {} was measured on {} hosts, of which {} is none: start the job on those, or "
                      "measure these",
                      platform.name, platform.nodes.size(), node.name));
    }
  }
}

Validation validate(const SampleSet& samples, const Platform& platform) {
  check_hosts(samples, platform);
  if (samples.ranks.size() > platform.ranks.size()) {
    throw Error(fmt::format("platform {} has {} ranks, but the validation ran on {}; measure the platform with -n {}",
                            platform.name, platform.ranks.size(), samples.ranks.size(), samples.ranks.size()));
  }
  Validation validation{platform.name, samples.implementation, samples.is_virtual};
  const ChannelMap map(platform, Mapping::explicit_placements(samples.ranks));
  std::vector<PlatformModel> models;
  const std::optional<ModelChoice> choice =
      platform.models.empty() ? std::nullopt : std::optional(choose_model(platform.models, platform.held_out));
  for (const ParameterTable& table : platform.models) {
    models.push_back(PlatformModel(table, platform.channels, map)
                         .with_calibrations(calibrations_of(platform.held_out, table.model, *choice)));
  }
  for (const Measurement& m : samples.measurements) {
    if (m.experiment.steps > 0) {
      continue;  // part of a collective, for explain --against
    }
    ValidationRow row = measured_row(m, m.experiment.kind == ExperimentKind::kRoundtrip ? 0.5 : 1.0);
    for (const PlatformModel& model : models) {
      if (!row.strides.is_contiguous() && !depends_on_stride(model.table())) {
        continue;
      }
      const Prediction prediction =
          predict_row(row, row.strides.is_contiguous() ? model : model.with_strides(row.strides));
      row.model = model.name();
      row.predicted = prediction.seconds;
      row.lower = prediction.lower;
      row.upper = prediction.upper;
      validation.rows.push_back(row);
    }
  }
  return validation;
}

}  // namespace postage
