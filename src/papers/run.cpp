#include <postage/papers/run.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>

namespace postage {
namespace {

/// "figure-2" names figure 2a as well.
bool is_named(const Exhibit& exhibit, const std::string& id) {
  const std::string own = id_of(exhibit);
  return own.starts_with(id) && std::all_of(own.begin() + static_cast<std::ptrdiff_t>(id.size()), own.end(),
                                            [](char c) { return c >= 'a' && c <= 'z'; });
}

bool is_selected(const Exhibit& exhibit, const ExhibitSelection& selection) {
  if (!selection.ids.empty()) {
    return std::any_of(selection.ids.begin(), selection.ids.end(),
                       [&](const std::string& id) { return is_named(exhibit, id); });
  }
  return selection.all || exhibit.source == ExhibitSource::kComputed;
}

RanExhibit run_exhibit(const Exhibit& exhibit, PaperContext& context) {
  const auto start = std::chrono::steady_clock::now();
  if (exhibit.source != ExhibitSource::kComputed) {
    context.tell(fmt::format("{}: {}, about {:.0f} s", title_of(exhibit), name_of(exhibit.source), exhibit.duration));
  }
  ExhibitResult result = exhibit.compute(context);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {.exhibit = &exhibit, .result = std::move(result), .seconds = took.count()};
}

template <typename Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json to_json(const PaperRow& row) {
  Json value{{"what", row.what},
             {"printed", row.claim.empty() ? or_null(row.printed) : Json(row.claim)},
             {"ours", or_null(row.ours)},
             {"difference", or_null(difference_of(row))},
             {"agrees", nullptr}};
  const RowVerdict verdict = verdict_of(row);
  if (verdict == RowVerdict::kAgrees || verdict == RowVerdict::kDiffers) {
    value["agrees"] = verdict == RowVerdict::kAgrees;
  }
  if (!row.note.empty()) {
    value["note"] = row.note;
  }
  return value;
}

Json to_json(const PaperChart& chart) {
  Json curves = Json::array();
  for (const DrawnCurve& curve : chart.curves) {
    curves.push_back({{"label", curve.label}, {"x", curve.x}, {"y", curve.y}});
  }
  return {{"title", chart.title}, {"x", chart.x.title}, {"y", chart.y.title}, {"curves", curves}};
}

Json to_json(const RanExhibit& ran) {
  const Exhibit& exhibit = *ran.exhibit;
  Json value{{"exhibit", id_of(exhibit)},
             {"caption", exhibit.caption},
             {"where", exhibit.where},
             {"source", name_of(exhibit.source)},
             {"was_run", ran.result.has_value()}};
  if (ran.result) {
    value["rows"] = Json::array();
    value["charts"] = Json::array();
    value["why"] = ran.result->why;
    for (const PaperRow& row : ran.result->rows) {
      value["rows"].push_back(to_json(row));
    }
    for (const PaperChart& chart : ran.result->charts) {
      value["charts"].push_back(to_json(chart));
    }
  }
  return value;
}

}  // namespace

PaperRun run_paper(const Paper& paper, const ExhibitSelection& selection, const PaperOptions& options) {
  for (const std::string& id : selection.ids) {
    if (std::none_of(paper.exhibits.begin(), paper.exhibits.end(),
                     [&](const Exhibit& exhibit) { return is_named(exhibit, id); })) {
      static_cast<void>(find_exhibit(paper, id));
    }
  }
  PaperContext context(options);
  PaperRun run{.paper = &paper};
  for (const Exhibit& exhibit : paper.exhibits) {
    if (is_selected(exhibit, selection)) {
      run.exhibits.push_back(run_exhibit(exhibit, context));
    } else if (selection.ids.empty()) {
      run.exhibits.push_back({.exhibit = &exhibit});
    }
  }
  return run;
}

VerdictCounts count_verdicts(const PaperRun& run) {
  VerdictCounts counts;
  for (const RanExhibit& ran : run.exhibits) {
    if (!ran.result) {
      ++counts.exhibits_not_run;
      continue;
    }
    for (const PaperRow& row : ran.result->rows) {
      const RowVerdict verdict = verdict_of(row);
      if (verdict == RowVerdict::kMissing) {
        ++counts.missing;
      } else if (verdict != RowVerdict::kNothingPrinted) {
        const bool agrees = verdict == RowVerdict::kAgrees;
        ++(row.holds ? (agrees ? counts.claims_hold : counts.claims_fail)
                     : (agrees ? counts.numbers_agree : counts.numbers_differ));
      }
    }
  }
  return counts;
}

std::string verdict_line(const PaperRun& run) {
  const VerdictCounts counts = count_verdicts(run);
  std::vector<std::string> parts;
  if (const int numbers = counts.numbers_agree + counts.numbers_differ; numbers > 0) {
    parts.push_back(
        fmt::format("{} of {} printed numbers come out to 0.1 % or the digits printed", counts.numbers_agree, numbers));
  }
  if (const int claims = counts.claims_hold + counts.claims_fail; claims > 0) {
    parts.push_back(fmt::format("{} of {} claims hold", counts.claims_hold, claims));
  }
  if (counts.missing > 0) {
    parts.push_back(fmt::format("{} could not be had here", counts.missing));
  }
  if (counts.exhibits_not_run > 0) {
    parts.push_back(fmt::format("{} exhibits were not run", counts.exhibits_not_run));
  }
  return fmt::format("{}.", fmt::join(parts, "; "));
}

Json to_json(const PaperRun& run) {
  Json value{{"paper", run.paper->name}, {"verdict", verdict_line(run)}, {"exhibits", Json::array()}};
  for (const RanExhibit& ran : run.exhibits) {
    value["exhibits"].push_back(to_json(ran));
  }
  return value;
}

}  // namespace postage
