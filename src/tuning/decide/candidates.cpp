#include "tuning/decide/candidates.hpp"

#include <postage/measure/collective_data.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

constexpr std::array<Bytes, 4> kSegments{4096, 16384, 65536, 262144};
constexpr std::array<Index, 3> kFanOuts{2, 4, 8};

bool can_do_all(const LibraryAlgorithm& row, const Span<Rank>& span) {
  const Algorithm& ours = find_algorithm(row.collective, row.ours);
  for (Rank ranks = span.first; ranks <= span.last; ++ranks) {
    if (!can_do(row, ranks) || !can_do(ours, ranks)) {
      return false;
    }
  }
  return true;
}

/// Whole messages and segments.
std::vector<Bytes> segments_of(const LibraryAlgorithm& row, Bytes bytes) {
  if (row.fixed_segment > 0) {
    return {row.fixed_segment};
  }
  std::vector<Bytes> segments{0};
  if (row.takes_segment && find_algorithm(row.collective, row.ours).segmentable) {
    std::copy_if(kSegments.begin(), kSegments.end(), std::back_inserter(segments),
                 [&](Bytes segment) { return segment < bytes; });
  }
  return segments;
}

std::vector<ParameterValues> parameters_of(const LibraryAlgorithm& row, const Span<Rank>& span) {
  std::vector<ParameterValues> all;
  for (const Index fan_out : kFanOuts) {
    if (!row.fan_out.empty() && fan_out < span.first) {
      all.push_back(row.fixed_parameters);
      all.back()[std::string(row.fan_out)] = fan_out;
    }
  }
  return row.fan_out.empty() ? std::vector{row.fixed_parameters} : all;
}

/// True where the message has enough elements for the library to do what it was asked for.
bool is_long_enough(const LibraryAlgorithm& row, const Span<Rank>& span, Bytes bytes) {
  const Bytes elements = bytes / element_bytes_for(row.collective, bytes);
  return elements >= row.least_elements_per_rank * span.last;
}

/// What the library does when it is asked for the choice.
ScheduleRequest request_for(const TuneRequest& request, const TuningPoint& point, const DecisionChoice& choice) {
  ScheduleRequest schedule{.ranks = point.ranks,
                           .bytes = point.bytes,
                           .element_bytes = element_bytes_for(point.collective, point.bytes),
                           .segment_bytes = choice.segment,
                           .parameters = choice.parameters};
  const LibraryAlgorithm* row = find_library_algorithm(request.target, request.version, point.collective,
                                                       choice.library_name, choice.algorithm, point.ranks);
  if (row != nullptr) {
    schedule.calls = row->calls;
    if (row->decides != nullptr) {
      row->decides(schedule);
    }
  }
  return schedule;
}

}  // namespace

std::vector<DecisionChoice> candidates_for(const TuneRequest& request, Collective collective, const Span<Rank>& ranks,
                                           Bytes bytes) {
  std::vector<DecisionChoice> choices;
  for (const LibraryAlgorithm* row : known_algorithms(request.target, request.version, collective)) {
    if (!can_do_all(*row, ranks) || !is_long_enough(*row, ranks, bytes)) {
      continue;
    }
    for (const ParameterValues& parameters : parameters_of(*row, ranks)) {
      for (const Bytes segment : segments_of(*row, bytes)) {
        choices.push_back({std::string(row->ours), std::string(row->name), segment, parameters});
      }
    }
  }
  return choices;
}

bool is_candidate(const TuneRequest& request, Collective collective, const Span<Rank>& ranks, Bytes bytes,
                  const DecisionChoice& choice) {
  for (const LibraryAlgorithm* row : known_algorithms(request.target, request.version, collective)) {
    if (row->name == choice.library_name && row->ours == choice.algorithm) {
      const std::vector<Bytes> segments = segments_of(*row, bytes);
      const std::vector<ParameterValues> parameters = parameters_of(*row, ranks);
      return can_do_all(*row, ranks) && is_long_enough(*row, ranks, bytes) &&
             std::find(segments.begin(), segments.end(), choice.segment) != segments.end() &&
             std::find(parameters.begin(), parameters.end(), choice.parameters) != parameters.end();
    }
  }
  return false;
}

std::string key_of(const DecisionChoice& choice) {
  std::string key = choice.library_name;
  if (choice.segment > 0) {
    key += fmt::format(":seg={}", choice.segment);
  }
  for (const auto& [name, value] : choice.parameters) {
    key += fmt::format(":{}={}", name, value);
  }
  return key;
}

const Prediction& ChoicePredictions::of(const TuningPoint& point, const DecisionChoice& choice) {
  const auto [known, is_new] = known_.try_emplace({point, key_of(choice)});
  if (is_new) {
    const Algorithm& algorithm = find_algorithm(point.collective, choice.algorithm);
    known->second = predict(build_schedule(algorithm, request_for(request_, point, choice)), model_);
  }
  return known->second;
}

}  // namespace postage
