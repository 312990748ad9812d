#include "cli/tables/rankings.hpp"

#include "cli/table.hpp"

#include <postage/job/escalations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

std::string name_of(const Candidate& candidate) {
  return std::string(candidate.algorithm->name) +
         (candidate.segment > 0 ? fmt::format(" in segments of {}", format_bytes(candidate.segment)) : "");
}

/// What is not recommended, and why.
void print_escalations(const Ranking& ranking) {
  for (const Candidate& candidate : ranking.candidates) {
    if (candidate.prediction.may_escalate()) {
      fmt::print("! not recommended at {}: {}, {} otherwise, may escalate, to {}\n", format_bytes(ranking.bytes),
                 name_of(candidate), format_seconds(candidate.prediction.seconds),
                 describe_escalations(candidate.prediction));
    }
  }
  if (ranking.candidates.front().prediction.may_escalate()) {
    fmt::print("! no candidate at {} is recommended: all may escalate\n", format_bytes(ranking.bytes));
  }
}

}  // namespace

void print_rankings(const std::vector<Ranking>& rankings, std::size_t top) {
  using Align = Table::Align;
  Table table({{"model"},
               {"size", Align::kRight},
               {"rank", Align::kRight},
               {"algorithm"},
               {"segment", Align::kRight},
               {"time", Align::kRight},
               {"over the best", Align::kRight},
               {""}});
  for (const Ranking& ranking : rankings) {
    const std::size_t shown = std::min(top, ranking.candidates.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const Candidate& candidate = ranking.candidates[i];
      table.add_row(
          {ranking.model, format_bytes(ranking.bytes), std::to_string(i + 1), std::string(candidate.algorithm->name),
           candidate.segment > 0 ? format_bytes(candidate.segment) : "-", format_seconds(candidate.prediction.seconds),
           fmt::format("{:.2f}x", ranking.times_slower(candidate)), candidate.prediction.may_escalate() ? "!" : ""});
    }
  }
  fmt::print("{}", table.render(output_width()));
  for (const Ranking& ranking : rankings) {
    print_escalations(ranking);
  }
}

std::vector<DrawnCurve> curves_of(const std::vector<Ranking>& rankings, bool several_models) {
  std::vector<DrawnCurve> curves;
  std::map<std::string, std::size_t> numbers;
  for (const Ranking& ranking : rankings) {
    std::map<std::string_view, Seconds> best;
    for (const Candidate& candidate : ranking.candidates) {
      best.emplace(candidate.algorithm->name, candidate.prediction.seconds);
    }
    for (const auto& [algorithm, seconds] : best) {
      const std::string label = std::string(algorithm) + (several_models ? " (" + ranking.model + ")" : "");
      const auto [found, is_new] = numbers.emplace(label, curves.size());
      if (is_new) {
        curves.push_back({.label = label});
      }
      curves[found->second].x.push_back(static_cast<double>(ranking.bytes));
      curves[found->second].y.push_back(seconds);
    }
  }
  return curves;
}

}  // namespace postage
