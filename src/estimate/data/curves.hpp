#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <cstddef>

namespace postage {

/// Half of roundtrips with equal replies: medians over the scope's pairs, of times that have an interval; too few
/// repetitions have none.
[[nodiscard]] TimesBySize one_way_times(const ScopeData& scope);

/// At every point of a curve, as if its time were exact.
[[nodiscard]] TimesBySize times_at(const std::vector<CurvePoint>& points);

/// Sizes from which on messages take longer, or less long, by a step of more than `kLeastStep` and their intervals than
/// those before let expect, as protocols make it; among the cuts of its lines. Where the curve only bends is none.
[[nodiscard]] std::vector<Bytes> steps_of(const ScopeData& scope);

inline constexpr double kLeastStep = 0.03;

/// The times as a parameter. A byte before each step stands where the piece before it leads, so that sizes between the
/// last measured one before the step and the step follow that piece.
[[nodiscard]] ParameterCurve stepped_curve(const TimesBySize& times, const std::vector<Bytes>& steps);

/// The times as a parameter.
[[nodiscard]] ParameterCurve to_curve(const TimesBySize& times);
/// Those that have an interval.
[[nodiscard]] TimesBySize with_intervals(TimesBySize times);

/// As CostCurve has it.
[[nodiscard]] double value_at(const TimesBySize& times, Bytes bytes);
/// The same, for value and ends of the interval.
[[nodiscard]] Estimate value_at(const ParameterCurve& curve, Bytes bytes);
[[nodiscard]] Estimate value_at(const ParameterSurface& surface, Bytes bytes, double second);

/// Times of a group's experiments by number of members, medians over the groups of as many, of times that have an
/// interval.
using GroupTimes = std::map<std::size_t, TimesBySize>;
[[nodiscard]] GroupTimes group_times(const SampleSet& samples, ExperimentKind kind, const std::string& channel);

}  // namespace postage
