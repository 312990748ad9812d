#include "measure/programs/arguments.hpp"

#include <postage/base/error.hpp>
#include <postage/base/options.hpp>
#include <postage/measure/plan_options.hpp>
#include <postage/measure/setting_options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <sstream>

namespace postage {
namespace {

constexpr std::string_view kSizeForms = ": sizes like 8,1K or 1:4M:x2, or none";

/// An option of an experiment, with what is typed after it.
struct TypedOption {
  PlanOption option;
  std::string text{};
  std::vector<std::string> texts{};  ///< of an option that may be repeated
};

/// Sizes and collectives as typed.
struct TypedPlan {
  std::deque<TypedOption> options;  // whose addresses the command keeps
  std::string control_sizes = "1K,16K,256K";
  std::string largest_adaptive = "0";
  std::string held_out_limits = "none";
  std::string pairs;
};

/// "0-1,2-7", the lower rank first or second. Throws UsageError.
std::vector<RankPair> parse_rank_pairs(const std::string& text) {
  std::vector<RankPair> pairs;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    std::istringstream pair(word);
    int a = -1;
    int b = -1;
    char dash = 0;
    if (!(pair >> a >> dash >> b) || dash != '-' || a < 0 || b < 0 || a == b || !pair.eof()) {
      throw UsageError(fmt::format("--pairs: '{}' is not a pair of ranks, like 0-1", word));
    }
    pairs.emplace_back(std::minmax(a, b));
  }
  return pairs;
}

std::vector<Bytes> sizes_in(const std::string& text) {
  return text == "none" ? std::vector<Bytes>{} : parse_sizes(text);
}

void fill(CampaignPlan& plan, const TypedOption& typed) {
  switch (typed.option.form) {
    case OptionForm::kSizes:
      plan.sizes[std::string(typed.option.name)] = sizes_in(typed.text);
      return;
    case OptionForm::kOneSize:
      plan.sizes[std::string(typed.option.name)] = {parse_bytes(typed.text)};
      return;
    case OptionForm::kCollective:
      for (const std::string& text : typed.texts) {
        plan.collectives.push_back(parse_collective_run(text));
      }
  }
}

void fill(CampaignPlan& plan, const TypedPlan& typed) {
  for (const TypedOption& option : typed.options) {
    fill(plan, option);
  }
  plan.control_sizes = sizes_in(typed.control_sizes);
  plan.largest_adaptive = parse_bytes(typed.largest_adaptive);
  plan.held_out_limits = sizes_in(typed.held_out_limits);
  plan.pairs = parse_rank_pairs(typed.pairs);
}

void add_plan_options(Command& command, TypedPlan& typed) {
  for (const PlanOption& option : plan_options()) {
    TypedOption& one = typed.options.emplace_back(TypedOption{option, std::string(option.standard)});
    const std::string name(option.name);
    const std::string help(option.help);
    if (option.form == OptionForm::kCollective) {
      command.option(name, one.texts, help);
    } else {
      command.option(name, one.text, help + std::string(option.form == OptionForm::kSizes ? kSizeForms : ""))
          .with_default();
    }
  }
  command
      .option("--control-sizes", typed.control_sizes,
              fmt::format("Roundtrips before and after everything else{}", kSizeForms))
      .with_default();
  command
      .option("--adaptive", typed.largest_adaptive,
              "Overheads, trains and empty replies at sizes chosen on the way, up to this one; 0 for none")
      .with_default();
  command.option("--pairs", typed.pairs, "Measure these pairs of ranks, like 0-1,2-7, and look for no others");
}

}  // namespace

MeasureArguments parse_measure_arguments(int argc, const char* const* argv) {
  MeasureArguments result;
  TypedPlan typed;
  CommandLine line("postage-measure", "Measures messages between the ranks it is started on.");
  line.footer("Example:\n  mpirun -n 2 --bind-to core postage-measure-openmpi --sizes 8,64K -o samples.json");
  line.option("-o,--output", result.output, "Samples file to write; without it only a table is printed");
  add_plan_options(line, typed);
  SettingOptions settings;
  add_setting_options(line, settings);
  line.flag("--as-far-as-possible", result.plan.as_far_as_possible, "Leave out what needs more ranks");
  line.option("--held-out", result.plan.held_out,
              "Collectives to time between the other experiments, drawn by chance: no parameter is fitted to them");
  line.option("--held-out-limits", typed.held_out_limits, "Sizes beside which half of them are to be");
  line.option("--held-out-seed", result.plan.held_out_seed, "Seed of the choice of --held-out");
  line.option("--stop-file", result.stop_file, "End with what was measured when this file appears");
  line.flag("--progress", result.progress, "Say how far it is, in lines for a program to read");
  result.help = line.parse(argc, argv);
  if (!result.help.empty()) {
    return result;
  }
  result.settings = settings_of(settings);
  fill(result.plan, typed);
  return result;
}

}  // namespace postage
