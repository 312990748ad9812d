#include "tuning/prove/default_choices.hpp"

#include "tuning/prove/expected_names.hpp"
#include "tuning/prove/tracing.hpp"

#include <postage/tuning/library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postage {
namespace {

constexpr Seconds kTimeLimit = 120;

}  // namespace

std::optional<DecisionChoice> choice_seen(TuningTarget target, const LibraryVersion& version, Collective collective,
                                          const std::vector<SeenAlgorithm>& seen) {
  if (seen.empty() || std::ranges::any_of(seen, [](const SeenAlgorithm& one) { return one.depth > 0; })) {
    return std::nullopt;
  }
  for (const LibraryAlgorithm* algorithm : known_algorithms(target, version, collective)) {
    const ExpectedNames names = expected_names(target, collective, algorithm->name);
    const bool is_plain = names.inner.empty() && !algorithm->takes_segment && algorithm->fan_out.empty();
    if (is_plain && names.outer == seen.front().name) {
      return DecisionChoice{.algorithm = std::string(algorithm->ours), .library_name = std::string(algorithm->name)};
    }
  }
  return std::nullopt;
}

DefaultChoices::DefaultChoices(const TuneRequest& request, LaunchTarget job)
    : request_(request),
      job_(std::move(job)),
      can_trace_(request.target == TuningTarget::kMpich && can_trace(request.target, request.version)) {}

void DefaultChoices::look_at(const std::vector<TuningPoint>& points) {
  if (!can_trace_) {
    return;
  }
  std::vector<std::string> words;
  std::vector<TuningPoint> unknown;
  for (const TuningPoint& point : points) {
    if (known_.try_emplace(point).second) {
      unknown.push_back(point);
      words.push_back(traced_word(point.collective, point.ranks, point.bytes));
    }
  }
  if (unknown.empty()) {
    return;
  }
  Tracing tracing = trace_calls(request_.target, job_, {}, words, kTimeLimit);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    known_[unknown[i]] = choice_seen(request_.target, request_.version, unknown[i].collective, tracing.seen[words[i]]);
  }
  if (!tracing.failure.empty() && request_.remark && !std::exchange(has_told_, true)) {
    request_.remark(
        fmt::format("calls at {} points could not be traced, so MPICH's default is timed as it looks for its "
                    "algorithms, 30 to 170 ns longer than those forced beside it: {}",
                    unknown.size(), tracing.failure));
  }
}

std::optional<DecisionChoice> DefaultChoices::at(const TuningPoint& point) const {
  const auto found = known_.find(point);
  return found == known_.end() ? std::nullopt : found->second;
}

}  // namespace postage
