#include "report/page/brief.hpp"
#include "report/page/page_data.hpp"

#include <postage/base/error.hpp>
#include <postage/optimize/advice.hpp>
#include <postage/predict/explanation.hpp>

#include <fmt/format.h>

#include <array>

namespace postage {
namespace {

/// The algorithms that libraries take for whole vectors of middle size.
struct Explained {
  Collective collective;
  const char* algorithm;
};
constexpr std::array<Explained, 5> kExplained{{{Collective::kBcast, "binomial"},
                                               {Collective::kReduce, "binomial"},
                                               {Collective::kAllreduce, "ring"},
                                               {Collective::kAllgather, "ring"},
                                               {Collective::kAlltoall, "pairwise"}}};
constexpr std::array<Bytes, 2> kExplainedSizes{1024, 262144};
constexpr std::size_t kMostParts = 12;

Json tree_of(const Explanation& explanation);

/// Many parts are cut, and the last one says how much they are.
Json parts_of(const std::vector<Explanation>& parts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i == kMostParts && i + 1 < parts.size()) {
      Seconds rest = 0;
      for (std::size_t left = i; left < parts.size(); ++left) {
        rest += parts[left].seconds;
      }
      list.push_back(Json::array({fmt::format("{} more parts", parts.size() - i), brief(rest), Json::array()}));
      break;
    }
    list.push_back(tree_of(parts[i]));
  }
  return list;
}

Json tree_of(const Explanation& explanation) {
  return Json::array({explanation.label, brief(explanation.seconds), parts_of(explanation.parts)});
}

Json advice_of(const Algorithm& algorithm, const ScheduleRequest& job, const Prediction& now,
               const PlatformModel& model) {
  ComparisonRequest request{.algorithms = {}, .job = job, .segments = {0, 8192, 65536}};
  for (const Algorithm& other : algorithms_of(algorithm.collective)) {
    if (can_do(other, job.ranks)) {
      request.algorithms.push_back(&other);
    }
  }
  Json list = Json::array();
  for (const Advice& advice : advise(request, {.algorithm = &algorithm, .prediction = now}, model, {})) {
    list.push_back({{"change", advice.change}, {"seconds", brief(advice.seconds)}});
  }
  return list;
}

Json explanation_of(const Explained& explained, Bytes bytes, Rank ranks, const PlatformModel& model) {
  const Algorithm& algorithm = find_algorithm(explained.collective, explained.algorithm);
  const ScheduleRequest job{.ranks = ranks, .bytes = bytes, .element_bytes = 4};
  const Schedule schedule = build_schedule(algorithm, job);
  const Evaluator evaluator = choose_evaluator(schedule, model.channels(), model.model());
  const Explanation tree = evaluator == Evaluator::kTimeline
                               ? explain(schedule, model.channels(), model.model(), model.channel_names())
                               : explain_rounds(schedule, model.channels(), model.model(), model.channel_names());
  const Prediction prediction = predict(schedule, model, evaluator);
  return {{"collective", name_of(explained.collective)},
          {"algorithm", explained.algorithm},
          {"bytes", bytes},
          {"model", model.name()},
          {"evaluator", name_of(evaluator)},
          {"time", brief({prediction.seconds, prediction.lower, prediction.upper})},
          {"tree", tree_of(with_alike_rounds_once(tree))},
          {"advice", advice_of(algorithm, job, prediction, model)}};
}

}  // namespace

Json explanation_data(const Platform& platform, const std::optional<UsedModel>& used) {
  Json list = Json::array();
  if (!used) {
    return list;
  }
  const auto ranks = static_cast<Rank>(platform.ranks.size());
  for (const Explained& explained : kExplained) {
    for (const Bytes bytes : kExplainedSizes) {
      try {
        list.push_back(explanation_of(explained, bytes, ranks, used->model));
      } catch (const Error&) {
        // Parameters of a channel are missing: the curves say so.
      }
    }
  }
  return list;
}

}  // namespace postage
