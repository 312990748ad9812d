#include "python/jobs.hpp"

#include <postage/job/algorithm_list.hpp>
#include <postage/job/explanations.hpp>
#include <postage/job/predictions.hpp>
#include <postage/job/rankings.hpp>
#include <postage/job/schedules.hpp>

#include <map>

namespace postage::python {
namespace {

/// Reads what a job needs, in the order in which the commands do.
JobPlatform resolve(JobOptions& options) {
  take_counts(options);
  JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  return platform;
}

/// Rows, and what is to be said about them.
py::tuple answer(const Json& rows, const JobPlatform& platform, Rank ranks, const LeftOutModels& left_out = {}) {
  std::vector<std::string> remarks = limits_of(platform, ranks);
  for (const auto& [model, reason] : left_out) {
    remarks.push_back("left out " + model + ": " + reason);
  }
  return py::make_tuple(to_python(with_choice(rows, platform)), remarks);
}

py::tuple predict(const py::dict& given) {
  JobOptions options = job_options(given);
  take_counts(options);
  const JobOptions as_given = options;
  const JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  PredictionRows predicted = predict_job(options, platform);
  if (given.contains("what_if")) {
    for (const std::string& text : given["what_if"].cast<std::vector<std::string>>()) {
      add_what_if(as_given, text, predicted);
    }
  }
  return answer(to_json(predicted.rows), platform, options.ranks, predicted.left_out);
}

py::tuple explain(const py::dict& given) {
  JobOptions options = job_options(given);
  const JobPlatform platform = resolve(options);
  Json list = Json::array();
  for (const Explained& explained : explain_job(options, platform)) {
    Json row = to_json(explained, options.collective);
    row["text"] = render(explained.tree);
    list.push_back(std::move(row));
  }
  return answer(list, platform, options.ranks);
}

py::tuple compare(const py::dict& given, const std::string& segments) {
  JobOptions options = job_options(given);
  check_comparable(options);
  const JobPlatform platform = resolve(options);
  const auto [rankings, left_out] = rank_job(options, platform, segments);
  return answer(to_json(rankings, options.collective, options.ranks), platform, options.ranks, left_out);
}

py::dict schedule(const py::dict& given) {
  ScheduleOptions options = schedule_options(given);
  const Schedule schedule = schedule_of(options);
  const ChannelNamer channel_of = channel_namer(options);
  std::vector<std::int64_t> round, segment, source, target, bytes, channel;
  std::map<std::string, std::int64_t> numbers;
  std::vector<std::string> channels;
  std::int64_t rounds = 0;
  for_each_round(schedule, [&](const RoundPosition& position) {
    for_each_transfer(schedule, position, [&](const Transfer& t) {
      const auto [found, is_new] =
          numbers.emplace(channel_of(t.source, t.target), static_cast<std::int64_t>(channels.size()));
      if (is_new) {
        channels.push_back(found->first);
      }
      round.push_back(rounds);
      segment.push_back(position.segment);
      source.push_back(t.source);
      target.push_back(t.target);
      bytes.push_back(t.bytes);
      channel.push_back(found->second);
    });
    ++rounds;
  });
  py::dict whole;
  whole["collective"] = std::string(name_of(schedule.collective));
  whole["algorithm"] = std::string(schedule.algorithm);
  whole["ranks"] = schedule.ranks;
  whole["rounds"] = rounds;
  whole["channels"] = channels;
  whole["round"] = array_of(round);
  whole["segment"] = array_of(segment);
  whole["source"] = array_of(source);
  whole["target"] = array_of(target);
  whole["bytes"] = array_of(bytes);
  whole["channel"] = array_of(channel);
  return whole;
}

}  // namespace

void add_jobs(py::module_& module) {
  module.def("predict", &predict);
  module.def("explain", &explain);
  module.def("compare", &compare, py::arg("options"), py::arg("segments") = kUsualSegments);
  module.def("schedule", &schedule);
  module.def("algorithms", [] { return to_python(algorithms_as_json()); });
}

}  // namespace postage::python
