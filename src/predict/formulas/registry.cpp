#include "predict/formulas/papers.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/message_schedule.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace postage {
namespace {

std::vector<Formula> join_papers() {
  std::vector<Formula> all;
  for (auto of_paper : {tu_formulas(), rico_gallego_formulas(), lastovetsky_formulas(), ali_formulas()}) {
    std::move(of_paper.begin(), of_paper.end(), std::back_inserter(all));
  }
  return all;
}

/// What `of_job` returns; the formula's name before the sentence that refuses it.
template <typename OfJob>
auto naming(const Formula& formula, const OfJob& of_job) {
  try {
    return of_job();
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("formula {}: {}", formula.name, error.what()));
  }
}

bool has_parameters_of(const Formula& formula, std::string_view model) {
  return std::find(formula.models.begin(), formula.models.end(), model) != formula.models.end();
}

}  // namespace

std::span<const Formula> formulas() {
  static const std::vector<Formula> all = join_papers();
  return all;
}

std::vector<const Formula*> formulas_of(std::string_view collective, std::string_view model) {
  std::vector<const Formula*> found;
  for (const Formula& formula : formulas()) {
    if (formula.collective == collective && (model.empty() || has_parameters_of(formula, model))) {
      found.push_back(&formula);
    }
  }
  return found;
}

const Formula& find_formula(std::string_view collective, std::string_view name) {
  std::string valid;
  for (const Formula* formula : formulas_of(collective)) {
    if (formula->name == name) {
      return *formula;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(formula->name);
  }
  throw UsageError(
      unknown_name(fmt::format("formula of {}", collective), std::string(name), valid.empty() ? "none" : valid));
}

Interval evaluate(const Formula& formula, const FormulaJob& job) {
  if (!has_parameters_of(formula, job.platform.name())) {
    throw UsageError(fmt::format("formula {} takes parameters of {}, not of {}: give --model and its parameters",
                                 formula.name, fmt::join(formula.models, " or "), job.platform.name()));
  }
  return naming(formula, [&] { return formula.evaluate(job); });
}

Schedule schedule_of(const Formula& formula, const FormulaJob& job) {
  if (formula.schedule != nullptr) {
    return naming(formula, [&] { return formula.schedule(job); });
  }
  if (formula.algorithm.empty()) {
    return message_schedule(job.source, job.target, job.bytes);
  }
  return build_schedule(find_algorithm(parse_collective(formula.collective), formula.algorithm),
                        {.ranks = job.ranks, .root = job.root, .bytes = job.bytes, .parameters = job.settings});
}

}  // namespace postage
