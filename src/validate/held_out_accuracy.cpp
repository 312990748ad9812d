#include <postage/base/at_once.hpp>
#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/measure/plan_options.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/validate/held_out_accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

namespace postage {
namespace {

struct HeldOutRun {
  HeldOutCollective what;
  Schedule schedule;
};

std::optional<HeldOutRun> held_out_run(const Measurement& m) {
  const Experiment& e = m.experiment;
  if (e.kind != ExperimentKind::kCollective || !(m.summary.median > 0)) {
    return std::nullopt;
  }
  const CollectiveRun run = collective_run_of(e);
  if (run.is_library() || run.steps > 0 || !run.strides.is_contiguous()) {
    return std::nullopt;
  }
  Schedule schedule = schedule_of(run, e.ranks);
  const Traffic traffic = traffic_of(schedule);
  const Interval& interval = m.summary.median_interval;
  return HeldOutRun{{.collective = e.collective,
                     .algorithm = e.algorithm,
                     .ranks = e.ranks,
                     .root = e.root,
                     .bytes = e.bytes,
                     .segment = e.segment_bytes,
                     .message = traffic.messages == 0 ? 0 : traffic.bytes / traffic.messages,
                     .measured = {m.summary.median, interval.lower, interval.upper}},
                    std::move(schedule)};
}

/// Nothing where a prediction is no time, or the model has no parameters for a channel.
std::optional<HeldOutPredictions> predictions_of(const std::vector<HeldOutRun>& runs, const PlatformModel& model,
                                                 std::optional<Evaluator> evaluator) try {
  HeldOutPredictions all{model.name(), std::string(evaluator ? name_of(*evaluator) : kUsualEvaluator)};
  std::vector<Prediction> predictions(runs.size());
  run_at_once(runs.size(), [&](std::size_t i) { predictions[i] = predict(runs[i].schedule, model, evaluator); });
  for (const Prediction& prediction : predictions) {
    if (!(prediction.seconds > 0)) {
      return std::nullopt;
    }
    all.seconds.push_back(prediction.seconds);
    all.uncertainty.push_back(uncertainty_of(prediction));
  }
  if (std::all_of(all.uncertainty.begin(), all.uncertainty.end(), [](double one) { return one == 0; })) {
    all.uncertainty.clear();
  }
  return all;
} catch (const Error&) {
  return std::nullopt;
}

std::vector<std::optional<Evaluator>> evaluators_of(const PlatformModel& model) {
  std::vector<std::optional<Evaluator>> list{std::nullopt, Evaluator::kTimeline, Evaluator::kRounds};
  if (model.model().properties().has_flows) {
    list.emplace_back(Evaluator::kFlows);
    list.emplace_back(Evaluator::kPortions);
  }
  return list;
}

/// The largest messages of one protocol: S and E of the models that have them.
std::set<Bytes> protocol_limits(const SampleSet& samples) {
  std::set<Bytes> limits;
  // Limits do not depend on the network, which takes its time to find.
  const EstimateSettings without_network{.groups = NetworkStructure{}, .folds = 0};
  for (const ParameterTable& table : estimate_platform(samples, "", without_network).models) {
    for (const ParameterGroup& group : table.groups) {
      for (const char* symbol : {"S", "E"}) {
        const auto found = group.values.find(symbol);
        if (found != group.values.end() && std::isfinite(found->second.upper)) {
          limits.insert(static_cast<Bytes>(found->second.value) + (*symbol == 'S' ? 1 : 0));
        }
      }
    }
  }
  return limits;
}

}  // namespace

std::vector<std::string> words_of(const HeldOutChoice& choice) {
  return {"--held-out", std::to_string(choice.count), "--held-out-seed", std::to_string(choice.seed)};
}

SampleSet with_held_out(SampleSet samples, const HeldOutChoice& choice, const MeasureWords& measure) {
  if (choice.count == 0 || samples.interrupted) {
    return samples;
  }
  std::vector<std::string> words = words_of(choice);
  const std::set<Bytes> limits = protocol_limits(samples);
  words.insert(words.end(), {"--held-out-limits", limits.empty() ? "none" : fmt::format("{}", fmt::join(limits, ","))});
  for (const PlanOption& option : plan_options()) {
    if (option.form == OptionForm::kSizes) {
      words.insert(words.end(), {std::string(option.name), "none"});
    }
  }
  words.insert(words.end(), {"--control-sizes", "none"});
  return merge_samples({std::move(samples), measure(words)});
}

void add_held_out(Platform& platform, const SampleSet& samples) {
  std::vector<HeldOutRun> runs;
  for (const Measurement& m : samples.measurements) {
    if (std::optional<HeldOutRun> run = held_out_run(m)) {
      run->what.chooses = runs.size() % 2 == 0;
      runs.push_back(std::move(*run));
    }
  }
  HeldOut held_out;
  const ChannelMap map(platform, Mapping::explicit_placements(samples.ranks));
  for (const ParameterTable& table : runs.empty() ? std::vector<ParameterTable>{} : platform.models) {
    const PlatformModel model(table, platform.channels, map);
    for (const std::optional<Evaluator> evaluator : evaluators_of(model)) {
      if (std::optional<HeldOutPredictions> one = predictions_of(runs, model, evaluator)) {
        held_out.predictions.push_back(std::move(*one));
      }
    }
  }
  for (HeldOutRun& run : runs) {
    held_out.collectives.push_back(std::move(run.what));
  }
  platform.held_out = std::move(held_out);
}

}  // namespace postage
