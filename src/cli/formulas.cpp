#include "cli/formulas.hpp"

#include "cli/options/remark.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/predict/formulas/formula.hpp>

#include <fmt/format.h>

#include <map>

namespace postage {
namespace {

/// A formula at one size, and the evaluator's time of the schedule that it describes.
struct FormulaRow {
  const Formula* formula = nullptr;
  std::string model;
  Rank ranks = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  Interval printed;
  std::string algorithm;
  Prediction evaluated;
};

std::vector<const Formula*> chosen_formulas(const JobCommand& options) {
  if (!options.blocks.empty()) {
    throw UsageError("the printed formulas are of equal blocks: leave out --counts or --formula");
  }
  if (options.formulas == "all") {
    std::vector<const Formula*> all = formulas_of(options.collective);
    if (all.empty()) {
      throw UsageError(fmt::format("no paper has a formula of {}; postage models --formulas lists those there are",
                                   options.collective));
    }
    return all;
  }
  std::vector<const Formula*> chosen;
  for (std::size_t begin = 0; begin <= options.formulas.size();) {
    const std::size_t end = std::min(options.formulas.find(',', begin), options.formulas.size());
    chosen.push_back(&find_formula(options.collective, options.formulas.substr(begin, end - begin)));
    begin = end + 1;
  }
  return chosen;
}

/// The evaluator's time, each message in segments where those of the formula are.
Prediction evaluated(const JobCommand& options, const Formula& formula, const FormulaJob& job,
                     const Schedule& schedule) {
  if (job.segment == 0 || !formula.in_segments) {
    return predict(schedule, job.platform, given_evaluator(options));
  }
  return predict(schedule, job.platform.with_segments(job.segment), given_evaluator(options));
}

class FormulaTable {
 public:
  FormulaTable(const JobCommand& options, const JobPlatform& platform) : options_(options), platform_(platform) {}

  [[nodiscard]] std::vector<FormulaRow> rows() {
    ExtrapolationLimit limit = extrapolation_limit(options_);
    for (const Formula* formula : chosen_formulas(options_)) {
      for (const PlatformModel* model : models_of(*formula)) {
        for (const Bytes bytes : resolve_sizes(options_)) {
          if (limit.extrapolation(*model, bytes)) {
            add(*formula, *model, bytes);
          }
        }
      }
    }
    check_any_left(limit, !rows_.empty());
    print_left_out(limit.left_out());
    if (rows_.empty()) {
      throw UsageError(left_out_.empty() ? "none of the models has the parameters of a formula"
                                         : left_out_.begin()->second);
    }
    for (const auto& [name, reason] : left_out_) {
      print_remark("postage: left out {}\n", reason);
    }
    return std::move(rows_);
  }

 private:
  /// The platform's models that the formula is of. Where it has none, the first one, which `evaluate` refuses.
  [[nodiscard]] std::vector<const PlatformModel*> models_of(const Formula& formula) const {
    std::vector<const PlatformModel*> found;
    for (const PlatformModel& model : platform_.models) {
      if (std::find(formula.models.begin(), formula.models.end(), model.name()) != formula.models.end()) {
        found.push_back(&model);
      }
    }
    if (found.empty() && options_.formulas != "all") {
      found.push_back(&platform_.models.front());
    }
    return found;
  }

  [[nodiscard]] FormulaJob job_of(const PlatformModel& model, Bytes bytes) const {
    return {.platform = model,
            .ranks = options_.collective == "p2p" ? std::max<Rank>(options_.ranks, 2) : options_.ranks,
            .root = options_.root,
            .source = options_.source,
            .target = options_.target,
            .bytes = bytes,
            .segment = parse_bytes(options_.segment),
            .settings = parse_settings(options_.settings)};
  }

  /// Of all formulas, those whose conditions do not hold are left out; one that was asked for is an error.
  void add(const Formula& formula, const PlatformModel& model, Bytes bytes) {
    const FormulaJob job = job_of(model, bytes);
    try {
      const Interval printed = evaluate(formula, job);
      const Schedule schedule = schedule_of(formula, job);
      rows_.push_back({&formula, model.name(), job.ranks, bytes, formula.in_segments ? job.segment : 0, printed,
                       schedule.algorithm, evaluated(options_, formula, job, schedule)});
    } catch (const UsageError& error) {
      if (options_.formulas != "all") {
        throw;
      }
      left_out_.emplace(formula.name, error.what());
    }
  }

  const JobCommand& options_;
  const JobPlatform& platform_;
  std::vector<FormulaRow> rows_;
  std::map<std::string_view, std::string> left_out_;
};

Json to_json(const FormulaRow& row) {
  return {{"formula", row.formula->name},
          {"source", row.formula->source},
          {"collective", row.formula->collective},
          {"model", row.model},
          {"P", row.ranks},
          {"bytes", row.bytes},
          {"segment", row.segment},
          {"lower", row.printed.lower},
          {"upper", row.printed.upper},
          {"algorithm", row.algorithm},
          {"evaluator", name_of(row.evaluated.evaluator)},
          {"seconds", row.evaluated.seconds}};
}

std::string text_of(const Interval& interval) {
  return interval.lower == interval.upper
             ? format_seconds(interval.lower)
             : fmt::format("{} to {}", format_seconds(interval.lower), format_seconds(interval.upper));
}

void print_rows(const std::vector<FormulaRow>& rows) {
  using Align = Table::Align;
  Table table({{"formula"},
               {"source"},
               {"P", Align::kRight},
               {"size", Align::kRight},
               {"segment", Align::kRight},
               {"model"},
               {"printed formula", Align::kRight},
               {"evaluator", Align::kRight},
               {"of"},
               {"by"}});
  for (const FormulaRow& row : rows) {
    table.add_row({std::string(row.formula->name), std::string(row.formula->source), std::to_string(row.ranks),
                   format_bytes(row.bytes), row.segment > 0 ? format_bytes(row.segment) : "-", row.model,
                   text_of(row.printed), format_seconds(row.evaluated.seconds), row.algorithm,
                   std::string(name_of(row.evaluated.evaluator))});
  }
  fmt::print("{}", table.render(output_width()));
}

Json to_json(const Formula& formula) {
  return {{"name", formula.name},
          {"collective", formula.collective},
          {"algorithm", formula.algorithm},
          {"models", formula.models},
          {"source", formula.source},
          {"equation", formula.equation},
          {"conditions", formula.conditions}};
}

}  // namespace

void predict_formulas(const JobCommand& options, const JobPlatform& platform) {
  const std::vector<FormulaRow> rows = FormulaTable(options, platform).rows();
  if (!options.json) {
    print_rows(rows);
    return;
  }
  Json list = Json::array();
  for (const FormulaRow& row : rows) {
    list.push_back(to_json(row));
  }
  fmt::print("{}\n", list.dump(1));
}

void list_formulas(bool as_json) {
  if (as_json) {
    Json list = Json::array();
    for (const Formula& formula : formulas()) {
      list.push_back(to_json(formula));
    }
    fmt::print("{}\n", list.dump(1));
    return;
  }
  Table table({{"formula"}, {"of"}, {"as printed"}, {"parameters of"}, {"where it holds"}, {"paper"}});
  for (const Formula& formula : formulas()) {
    table.add_row({std::string(formula.name),
                   formula.algorithm.empty() ? std::string(formula.collective)
                                             : fmt::format("{} {}", formula.collective, formula.algorithm),
                   std::string(formula.equation), fmt::format("{}", fmt::join(formula.models, ", ")),
                   std::string(formula.conditions), std::string(formula.source)});
  }
  fmt::print("{}", table.render(output_width()));
}

}  // namespace postage
