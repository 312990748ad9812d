#include <postage/base/error.hpp>
#include <postage/job/escalations.hpp>
#include <postage/job/explanations.hpp>
#include <postage/predict/message_schedule.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

std::vector<JobSchedule> schedules_of(const JobOptions& options, const ChannelMap& map, Bytes bytes) {
  if (options.collective != "p2p") {
    return resolve_schedules(options, map, bytes);
  }
  std::vector<JobSchedule> schedules;
  schedules.push_back(
      {"message", parse_bytes(options.segment), message_schedule(options.source, options.target, bytes)});
  return schedules;
}

/// Changes that make a collective faster, by prediction, with the segments that `postage compare` tries.
std::vector<Advice> advice_for(const JobOptions& options, const JobPlatform& platform, const JobSchedule& job,
                               Bytes bytes, const PlatformModel& model, const Prediction& prediction) {
  if (options.collective == "p2p" || options.node_aware.is_given()) {
    return {};
  }
  JobOptions all = options;
  all.algorithm = "all";
  const Collective collective = collective_of(options);
  ComparisonRequest request{.algorithms = resolve_algorithms(all, collective),
                            .job = request_of(options, bytes),
                            .segments = parse_sizes(kUsualSegments)};
  request.job.parameters = parse_settings(options.settings);
  const Candidate now{.algorithm = &find_algorithm(collective, job.algorithm),
                      .segment = job.segment < bytes ? job.segment : 0,
                      .prediction = prediction};
  return advise(request, now, model, platform.other_mappings);
}

Json to_json(const std::vector<Advice>& advice, Seconds now) {
  Json list = Json::array();
  for (const Advice& a : advice) {
    list.push_back({{"change", a.change}, {"seconds", a.seconds}, {"times_faster", now / a.seconds}});
  }
  return list;
}

Json to_json(const std::vector<ResourceGain>& gains, Seconds now) {
  Json list = Json::array();
  for (const ResourceGain& gain : gains) {
    list.push_back({{"change", gain.change},
                    {"seconds", gain.prediction.seconds},
                    {"lower", gain.prediction.lower},
                    {"upper", gain.prediction.upper},
                    {"times_faster", now / gain.prediction.seconds}});
  }
  return list;
}

Explained explain_schedule(const JobOptions& options, const JobPlatform& platform, const JobSchedule& job, Bytes bytes,
                           const PlatformModel& model) {
  const std::optional<Evaluator> given = given_evaluator(options);
  Evaluator evaluator = given ? *given : choose_evaluator(job.schedule, platform.map, model.model());
  if ((evaluator == Evaluator::kFlows || evaluator == Evaluator::kPortions) && options.collective == "p2p") {
    evaluator = Evaluator::kRounds;  // one message shares nothing
  }
  Explanation tree = evaluator == Evaluator::kTimeline
                         ? explain(job.schedule, platform.map, model.model(), model.channel_names())
                         : explain_rounds(job.schedule, platform.map, model.model(), model.channel_names());
  if (options.collective == "p2p") {
    tree.label = fmt::format("message from rank {} to rank {}", options.source, options.target);
  }
  // Portions of few iterations may stand for all (HubStages), unless they were asked for.
  Prediction prediction = predict(job.schedule, model, evaluator == Evaluator::kPortions ? given : evaluator);
  std::vector<Advice> advice = advice_for(options, platform, job, bytes, model, prediction);
  std::vector<ResourceGain> gains = resource_gains(job.schedule, model, platform.source, prediction);
  return {job.algorithm,
          job.segment,
          job.schedule.ranks,
          bytes,
          model.name(),
          evaluator,
          std::move(prediction),
          std::move(tree),
          std::move(advice),
          std::move(gains),
          options.what_if ? options.what_if->text : ""};
}

}  // namespace

std::vector<Explained> explain_job(const JobOptions& options, const JobPlatform& platform) {
  std::vector<Explained> list;
  const Bytes segment = options.collective == "p2p" ? parse_bytes(options.segment) : 0;
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const JobSchedule& job : schedules_of(options, platform.map, bytes)) {
      for (const PlatformModel& whole : platform.models) {
        const PlatformModel model = segment > 0 ? whole.with_segments(segment) : whole;
        list.push_back(explain_schedule(options, platform, job, bytes, model));
      }
    }
  }
  return list;
}

Json to_json(const Explained& explained, const std::string& collective) {
  Json json{{"collective", collective},
            {"algorithm", explained.algorithm},
            {"segment", explained.segment},
            {"P", explained.ranks},
            {"bytes", explained.bytes},
            {"model", explained.model},
            {"seconds", explained.prediction.seconds},
            {"lower", explained.prediction.lower},
            {"upper", explained.prediction.upper},
            {"bounds", name_of(explained.prediction.bounds)},
            {"evaluator", name_of(explained.evaluator)},
            {"explanation", to_json(explained.tree)},
            {"advice", to_json(explained.advice, explained.prediction.seconds)},
            {"resources", to_json(explained.gains, explained.prediction.seconds)}};
  if (!explained.what_if.empty()) {
    json["what_if"] = explained.what_if;
  }
  add_escalations(json, explained.prediction);
  return json;
}

}  // namespace postage
