#include "cli/commands.hpp"
#include "cli/estimation.hpp"
#include "cli/launching.hpp"
#include "cli/options/checking.hpp"
#include "cli/options/output_file.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/tuning/guidelines.hpp>
#include <postage/tuning/implementation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct GuidelinesOptions {
  LaunchOptions launch;
  std::string sizes = "8:1M:x8";
  std::string largest = "16M";
  double tolerance = 0.05;
  std::string output;
  bool json = false;
  bool all = false;
};

/// What was measured, and what came of it.
struct Findings {
  std::string implementation;
  Rank ranks = 0;
  std::size_t checked = 0;
  std::vector<GuidelineResult> results;
};

std::vector<std::string> words_for(std::span<const GuidelineCheck> checks) {
  std::vector<std::string> words{"--sizes", "none", "--train-sizes", "none", "--overhead-sizes", "none"};
  for (const CollectiveRun& run : calls_of(checks)) {
    words.insert(words.end(), {"--collective", format_collective_run(run)});
  }
  return words;
}

SampleSet measure_calls(const LaunchOptions& launch, std::span<const GuidelineCheck> checks) {
  SampleSet samples = measure_with(launch, words_for(checks));
  if (samples.interrupted) {
    throw Interrupted("checking the guidelines was interrupted; nothing is kept");
  }
  return samples;
}

/// As many as a campaign with these options has.
Rank ranks_of(LaunchOptions launch) {
  launch.measuring.settings.keep_values = false;
  launch.measuring.settings.least_repetitions = 2;
  launch.measuring.settings.passes = 1;
  launch.measuring.budget = "0s";
  const std::vector<GuidelineCheck> one{{.bounded = {Collective::kBarrier, 0}}};
  return static_cast<Rank>(measure_calls(launch, one).ranks.size());
}

/// A violation counts where a second campaign of these calls alone finds it again.
void confirm(const GuidelinesOptions& options, Findings& findings) {
  std::vector<GuidelineCheck> suspected;
  for (const GuidelineResult& result : findings.results) {
    if (result.violated) {
      suspected.push_back(result.check);
    }
  }
  if (suspected.empty() || !options.launch.virtual_name.empty()) {
    return;
  }
  const SampleSet again = measure_calls(options.launch, suspected);
  std::vector<GuidelineResult> second = judge(suspected, again, options.tolerance);
  auto next = second.begin();
  for (GuidelineResult& result : findings.results) {
    if (result.violated && next != second.end()) {
      result = *next++;
    }
  }
}

Findings find(const GuidelinesOptions& options) {
  LaunchOptions launch = options.launch;
  launch.measuring.settings.keep_values = true;
  if (options.tolerance < 0) {
    throw UsageError("--tolerance is a share of at least 0, like 0.05");
  }
  const std::vector<Bytes> sizes = parse_sizes(options.sizes);
  if (!std::is_sorted(sizes.begin(), sizes.end()) || sizes.empty() || sizes.front() < 1) {
    throw UsageError("--sizes are to ascend and to be at least 1");
  }
  const Rank ranks = ranks_of(launch);
  const std::vector<GuidelineCheck> checks = guideline_checks(ranks, sizes, parse_bytes(options.largest));
  if (checks.empty()) {
    throw UsageError(fmt::format("--largest {} leaves no call to check of {} ranks", options.largest, ranks));
  }
  const SampleSet samples = measure_calls(launch, checks);
  print_remarks(samples);
  Findings findings{.implementation = samples.implementation, .ranks = ranks};
  findings.results = judge(checks, samples, options.tolerance);
  findings.checked = findings.results.size();
  GuidelinesOptions second = options;
  second.launch = launch;
  confirm(second, findings);
  return findings;
}

std::string text_of(const TimedCall& call, int times) {
  return fmt::format("{}{} of {}", times > 1 ? fmt::format("{} x ", times) : "", name_of(call.collective),
                     format_bytes(call.bytes));
}

std::string bound_of(const GuidelineCheck& check) {
  std::string text;
  for (const TimedCall& call : check.bound) {
    text += (text.empty() ? "" : " + ") + text_of(call, check.times);
  }
  return text;
}

std::string remedy_in(const Findings& findings, const GuidelineCheck& check) {
  const auto library = library_of(findings.implementation);
  return library ? remedy_for(check, library->target, library->version, findings.ranks) : bound_of(check);
}

void print(const Findings& findings, bool all, double tolerance) {
  using Align = Table::Align;
  Table table({{"takes too long"},
               {"time", Align::kRight},
               {"bound"},
               {"its time", Align::kRight},
               {"factor", Align::kRight},
               {"95 % interval", Align::kRight},
               {"what would mend it"}});
  std::size_t violated = 0;
  for (const GuidelineResult& result : findings.results) {
    violated += result.violated ? 1 : 0;
    if (result.violated || all) {
      table.add_row({text_of(result.check.bounded, 1), format_seconds(result.bounded), bound_of(result.check),
                     format_seconds(result.bound), fmt::format("{:.2f}", result.factor),
                     fmt::format("{:.2f}-{:.2f}", result.interval.lower, result.interval.upper),
                     result.violated ? remedy_in(findings, result.check) : "-"});
    }
  }
  if (violated > 0 || all) {
    fmt::print("{}", table.render(output_width()));
  }
  const auto undecided = std::count_if(findings.results.begin(), findings.results.end(), [&](const GuidelineResult& r) {
    return !r.violated && r.factor > 1 + tolerance;
  });
  fmt::print("{} of {} guidelines violated by {} with {} ranks{}\n", violated, findings.checked,
             findings.implementation, findings.ranks,
             undecided > 0 ? fmt::format("; {} more may be: a larger --budget would tell", undecided) : "");
}

Json to_json(const Findings& findings) {
  Json list = Json::array();
  for (const GuidelineResult& result : findings.results) {
    Json row = to_json(result);
    row["remedy"] = result.violated ? remedy_in(findings, result.check) : "";
    list.push_back(std::move(row));
  }
  return Json{{"format", kGuidelinesFormat},
              {"version", kGuidelinesVersion},
              {"implementation", findings.implementation},
              {"ranks", findings.ranks},
              {"results", std::move(list)}};
}

CheckResult check_guidelines(const GuidelinesOptions& options) {
  check_output_file("--output", options.output);
  Findings findings = find(options);
  std::stable_sort(findings.results.begin(), findings.results.end(),
                   [](const GuidelineResult& a, const GuidelineResult& b) { return a.factor > b.factor; });
  if (!options.output.empty()) {
    write_json(options.output, to_json(findings));
  }
  if (options.json) {
    fmt::print("{}\n", to_json(findings).dump(1));
  } else {
    print(findings, options.all, options.tolerance);
  }
  const bool found = std::any_of(findings.results.begin(), findings.results.end(),
                                 [](const GuidelineResult& result) { return result.violated; });
  return found ? CheckResult::kFound : CheckResult::kClean;
}

}  // namespace

void add_guidelines_command(Command& app) {
  Command command = app.subcommand(
      "guidelines", "Find collectives of an MPI that take longer than others of its own that would do the same");
  const auto options = std::make_shared<GuidelinesOptions>();
  command.option("--sizes", options->sizes, "Sizes to check, ascending").with_default();
  command.option("--largest", options->largest, "Leave out calls with more bytes than this").with_default();
  command.option("--tolerance", options->tolerance, "How much longer, as a share, is no violation").with_default();
  command.option("-o,--output", options->output, "JSON file to write");
  add_launch_options(command, options->launch);
  command.flag("--all", options->all, "Print the guidelines that hold, too");
  command.flag("--json", options->json, "Print JSON");
  command.not_with("--json", {"--all"});
  command.footer(
      "Exit status: 0 if all guidelines hold, 1 if any is violated, 2 if they could not be checked.\n"
      "Examples:\n"
      "  postage guidelines -n 4\n"
      "  postage guidelines --launcher \"srun -N 2 -n 64\" --sizes 8:64K:x4 --json");
  command.action(checking([options] { return check_guidelines(*options); }));
}

}  // namespace postage
