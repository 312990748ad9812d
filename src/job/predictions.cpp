#include <postage/base/error.hpp>
#include <postage/job/escalations.hpp>
#include <postage/job/predictions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace postage {
namespace {

PredictionRows predict_messages(const JobOptions& options, const JobPlatform& platform) {
  const auto ranks = platform.map.is_single() ? std::numeric_limits<Rank>::max()
                                              : static_cast<Rank>(platform.map.mapping().capacity());
  if (options.source < 0 || options.target < 0 || options.source >= ranks || options.target >= ranks ||
      options.source == options.target) {
    throw UsageError(fmt::format("--src {} and --dst {} must be two different ranks from 0 to {}", options.source,
                                 options.target, ranks - 1));
  }
  const Strides strides = options.strides.parsed();
  const Bytes segment = parse_bytes(options.segment);
  std::vector<PredictionRow> rows;
  ExtrapolationLimit limit = extrapolation_limit(options);
  for (const Bytes bytes : resolve_sizes(options)) {
    check_pieces(strides, bytes);
    for (const PlatformModel& whole : platform.models) {
      const PlatformModel model = segment > 0 ? whole.with_segments(segment) : whole;
      if (const auto extrapolation = limit.extrapolation(model, segment > 0 ? std::min(segment, bytes) : bytes)) {
        rows.push_back({"p2p", "", 2, bytes, segment, model.name(),
                        predict_message(options.source, options.target, bytes, model), *extrapolation > 1});
      }
    }
  }
  check_any_left(limit, !rows.empty());
  return {std::move(rows), limit.left_out()};
}

PredictionRows predict_collective(const JobOptions& options, const JobPlatform& platform) {
  const std::optional<Evaluator> evaluator = given_evaluator(options);
  // A tree's ranks go on with their next child while the last message is under way, which rounds know nothing of.
  const Effort effort = options.tree ? Effort::kThorough : Effort::kQuick;
  std::vector<PredictionRow> rows;
  ExtrapolationLimit limit = extrapolation_limit(options);
  for (const Bytes bytes : resolve_sizes(options)) {
    for (const auto& [algorithm, segment, schedule] : resolve_schedules(options, platform.map, bytes)) {
      for (const PlatformModel& model : platform.models) {
        const Bytes message = message_bytes(options, bytes);
        const auto extrapolation = limit.extrapolation(model, segment > 0 ? std::min(segment, message) : message);
        if (!extrapolation) {
          continue;
        }
        rows.push_back({options.collective, algorithm, options.ranks, bytes, segment, model.name(),
                        predict(schedule, model, evaluator, effort), *extrapolation > 1});
      }
    }
  }
  check_any_left(limit, !rows.empty());
  return {std::move(rows), limit.left_out()};
}

Json to_json(const PredictionRow& row) {
  Json json{{"collective", row.collective},
            {"algorithm", row.algorithm},
            {"P", row.ranks},
            {"bytes", row.bytes},
            {"segment", row.segment},
            {"model", row.model},
            {"seconds", row.prediction.seconds},
            {"lower", row.prediction.lower},
            {"upper", row.prediction.upper},
            {"bounds", name_of(row.prediction.bounds)},
            {"extrapolated", row.extrapolated},
            {"evaluator", name_of(row.prediction.evaluator)}};
  add_escalations(json, row.prediction);
  if (!row.what_if.empty()) {
    json["what_if"] = row.what_if;
    json["further_nodes"] = row.further_nodes;
    if (row.before) {
      json["times_faster"] = *row.before / row.prediction.seconds;
    }
  }
  return json;
}

}  // namespace

PredictionRows predict_job(const JobOptions& options, const JobPlatform& platform) {
  return options.collective == "p2p" ? predict_messages(options, platform) : predict_collective(options, platform);
}

void add_what_if(const JobOptions& given, const std::string& text, PredictionRows& rows) {
  JobOptions options = with_what_if(given, text);
  const JobPlatform platform = resolve_platform(options);
  options.ranks = resolve_ranks(options, platform);
  PredictionRows others = predict_job(options, platform);
  for (PredictionRow& row : others.rows) {
    const auto same = std::ranges::find_if(rows.rows, [&](const PredictionRow& one) {
      return one.what_if.empty() && one.algorithm == row.algorithm && one.bytes == row.bytes &&
             one.segment == row.segment && one.model == row.model;
    });
    if (same != rows.rows.end()) {
      row.before = same->prediction.seconds;
    }
    row.what_if = text;
    row.further_nodes = nodes_beyond_measured(platform);
  }
  std::ranges::move(others.rows, std::back_inserter(rows.rows));
  rows.left_out.merge(others.left_out);
  rows.left_out.insert(platform.left_out.begin(), platform.left_out.end());
}

Json to_json(const std::vector<PredictionRow>& rows) {
  Json list = Json::array();
  for (const PredictionRow& row : rows) {
    list.push_back(to_json(row));
  }
  return list;
}

}  // namespace postage
