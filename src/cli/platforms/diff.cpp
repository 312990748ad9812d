#include "cli/commands.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/optimize/difference.hpp>

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace postage {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  double least = 100 * DifferenceSettings{}.least;
  int rows = 20;
  bool json = false;
};

/// Whatever is wrong with a file is no difference: status 2.
Platform read_for_diff(const std::string& path) {
  try {
    return read_platform(path);
  } catch (const Error& failure) {
    throw UsageError(failure.what());
  }
}

std::string change_of(double share) {
  return std::isfinite(share) ? signed_percent(share) : "from 0";
}

std::string with_interval(const Estimate& estimate) {
  return fmt::format("{:.4g} [{:.4g}, {:.4g}]", estimate.value, estimate.lower, estimate.upper);
}

void print_changes(const PlatformDifference& difference, std::size_t rows) {
  Table table({{"parameter"},
               {"first"},
               {"second"},
               {"change", Table::Align::kRight},
               {"on predictions", Table::Align::kRight},
               {"of"}});
  for (std::size_t i = 0; i < difference.changes.size() && i < rows; ++i) {
    const ParameterChange& change = difference.changes[i];
    table.add_row({describe(change.key), with_interval(change.before), with_interval(change.after),
                   change_of(change.change), change.effect ? percent(*change.effect) : "-",
                   change.collective.empty() ? "-" : change.collective});
  }
  fmt::print("{}", table.render(output_width()));
  if (rows < difference.changes.size()) {
    fmt::print("{} more parameters differ: --rows {} shows all\n", difference.changes.size() - rows,
               difference.changes.size());
  }
}

void print_predictions(const PlatformDifference& difference) {
  Table table({{"model"},
               {"collective"},
               {"first", Table::Align::kRight},
               {"second", Table::Align::kRight},
               {"change", Table::Align::kRight}});
  for (const PredictionChange& p : difference.predictions) {
    table.add_row(
        {p.model, p.collective, format_seconds(p.before), format_seconds(p.after), change_of(p.after / p.before - 1)});
  }
  fmt::print("\n{}", table.render(output_width()));
}

Json diff_json_of(const Estimate& estimate) {
  return {{"value", estimate.value}, {"lower", estimate.lower}, {"upper", estimate.upper}};
}

Json diff_json_of(const PlatformDifference& difference) {
  Json changes = Json::array();
  for (const ParameterChange& change : difference.changes) {
    Json row{{"parameter", describe(change.key)},   {"model", change.key.model},
             {"symbol", change.key.symbol},         {"before", diff_json_of(change.before)},
             {"after", diff_json_of(change.after)}, {"change", change.change}};
    if (change.effect) {
      row["effect"] = *change.effect;
      row["collective"] = change.collective;
    }
    changes.push_back(std::move(row));
  }
  Json predictions = Json::array();
  for (const PredictionChange& p : difference.predictions) {
    predictions.push_back({{"model", p.model}, {"collective", p.collective}, {"before", p.before}, {"after", p.after}});
  }
  return {{"same", difference.is_same()},  {"structure", difference.structure},
          {"notes", difference.notes},     {"compared", difference.compared},
          {"changes", std::move(changes)}, {"predictions", std::move(predictions)}};
}

void print_difference(const DiffOptions& options, const PlatformDifference& difference) {
  for (const std::string& sentence : difference.structure) {
    fmt::print("{}\n", sentence);
  }
  for (const std::string& sentence : difference.notes) {
    fmt::print("{}\n", sentence);
  }
  if (!difference.changes.empty()) {
    print_changes(difference, static_cast<std::size_t>(options.rows));
  }
  if (!difference.is_same() && !difference.predictions.empty()) {
    print_predictions(difference);
  }
}

void run_diff(const DiffOptions& options) {
  const PlatformDifference difference =
      difference_of(read_for_diff(options.before), read_for_diff(options.after), {.least = options.least / 100});
  if (options.json) {
    fmt::print("{}\n", diff_json_of(difference).dump(1));
  } else {
    print_difference(options, difference);
  }
  if (!difference.is_same()) {
    throw Error(fmt::format("{} and {} differ: {} of {} parameters beyond their intervals{}", options.before,
                            options.after, difference.changes.size(), difference.compared,
                            difference.structure.empty() ? "" : ", and in what there is"));
  }
  if (!options.json) {
    fmt::print("{} parameters are the same within their intervals\n", difference.compared);
  }
}

}  // namespace

void add_diff_command(Command& app) {
  Command command = app.subcommand("diff", "Compare two platform files: which parameters differ, and what that means");
  const auto options = std::make_shared<DiffOptions>();
  command.option("first", options->before, "Platform file").required();
  command.option("second", options->after, "Platform file").required();
  command.option("--least", options->least, "Percent by which a parameter must differ").with_default().range(0, 1000);
  command.option("--rows", options->rows, "Parameters to list, those that change predictions most first")
      .with_default()
      .range(1, 1000000);
  command.flag("--json", options->json, "Print JSON");
  command.not_with("--json", {"--rows"});
  command.footer(
      "The exit status is 0 where they are the same, 1 where they differ, 2 where they cannot be compared.\n"
      "Examples:\n"
      "  postage diff before-upgrade.json after-upgrade.json\n"
      "  postage diff a.json b.json --least 10 --json");
  command.action([options] { run_diff(*options); });
}

}  // namespace postage
