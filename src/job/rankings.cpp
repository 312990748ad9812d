#include "job/unused_options.hpp"

#include <postage/base/error.hpp>
#include <postage/job/escalations.hpp>
#include <postage/job/rankings.hpp>

namespace postage {

double Ranking::times_slower(const Candidate& candidate) const {
  const Seconds best = candidates.front().prediction.seconds;
  return best > 0 ? candidate.prediction.seconds / best : 1;
}

void check_comparable(const JobOptions& options) {
  if (options.collective == "p2p") {
    throw UsageError("compare ranks the algorithms of a collective; for a message, use postage predict p2p");
  }
}

Rankings rank_job(const JobOptions& options, const JobPlatform& platform, const std::string& segments) {
  check_collective_options(options);
  ComparisonRequest request{.algorithms = resolve_algorithms(options, collective_of(options)),
                            .segments = parse_sizes(segments)};
  std::vector<Ranking> rankings;
  ExtrapolationLimit limit = extrapolation_limit(options);
  for (const PlatformModel& model : platform.models) {
    for (const Bytes bytes : resolve_sizes(options)) {
      if (!limit.extrapolation(model, message_bytes(options, bytes))) {
        continue;
      }
      request.job = request_of(options, bytes);
      request.job.parameters = parse_settings(options.settings);
      rankings.push_back({model.name(), bytes, rank_candidates(request, model)});
    }
  }
  check_any_left(limit, !rankings.empty());
  return {std::move(rankings), limit.left_out()};
}

Json to_json(const std::vector<Ranking>& rankings, const std::string& collective, Rank ranks) {
  Json list = Json::array();
  for (const Ranking& ranking : rankings) {
    for (std::size_t i = 0; i < ranking.candidates.size(); ++i) {
      const Candidate& candidate = ranking.candidates[i];
      Json json{{"collective", collective},
                {"P", ranks},
                {"bytes", ranking.bytes},
                {"model", ranking.model},
                {"place", i + 1},
                {"algorithm", candidate.algorithm->name},
                {"segment", candidate.segment},
                {"seconds", candidate.prediction.seconds},
                {"lower", candidate.prediction.lower},
                {"upper", candidate.prediction.upper},
                {"bounds", name_of(candidate.prediction.bounds)},
                {"ratio", ranking.times_slower(candidate)},
                {"evaluator", name_of(candidate.evaluator)},
                {"recommended", i == 0 && !candidate.prediction.may_escalate()}};
      add_escalations(json, candidate.prediction);
      list.push_back(std::move(json));
    }
  }
  return list;
}

}  // namespace postage
