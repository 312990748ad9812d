#include "measure/arguments.hpp"

#include <postage/base/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace postage {
namespace {

struct Texts {
  std::string sizes = "1:4M:x2";
  std::string train_sizes = "1,1K,64K";
  std::vector<std::string> collectives;
  std::string budget = "30s";
};

/// Texts become numbers here, so that the errors are the library's sentences.
CampaignPlan plan_of(const Texts& arguments) {
  CampaignPlan plan;
  const auto sizes = [](const std::string& text) { return text == "none" ? std::vector<Bytes>{} : parse_sizes(text); };
  plan.roundtrip_sizes = sizes(arguments.sizes);
  plan.train_sizes = sizes(arguments.train_sizes);
  for (const std::string& text : arguments.collectives) {
    plan.collectives.push_back(parse_collective_run(text));
  }
  return plan;
}

void add_options(CLI::App& app, MeasureArguments& result, Texts& arguments) {
  app.add_option("-o,--output", result.output, "Samples file to write; without it only a table is printed");
  app.add_option("--sizes", arguments.sizes, "Sizes of roundtrips, like 1:4M:x2 or 8,1K; or none")
      ->capture_default_str();
  app.add_option("--train-sizes", arguments.train_sizes, "Sizes of trains of messages, or none")->capture_default_str();
  app.add_option("--collective", arguments.collectives,
                 "A collective to time, COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK]; may be repeated");
  app.add_option("--precision", result.settings.precision, "Half width of the median's interval over the median")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--confidence", result.settings.confidence, "Confidence of the intervals")
      ->capture_default_str()
      ->check(CLI::Range(0.5, 0.9999));
  app.add_option("--budget", arguments.budget, "Time for the whole campaign, like 30s")->capture_default_str();
  app.add_option("--warm-up", result.settings.warm_up, "Repetitions before each experiment that do not count")
      ->capture_default_str()
      ->check(CLI::Range(0, 100000));
  app.add_option("--least", result.settings.least_repetitions, "Fewest repetitions of an experiment")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  app.add_option("--most", result.settings.most_repetitions, "Most repetitions of an experiment")
      ->capture_default_str()
      ->check(CLI::Range(2, 1000000));
  app.add_flag("--keep-values", result.settings.keep_values, "Keep every repetition's time in the file");
}

}  // namespace

MeasureArguments parse_measure_arguments(int argc, const char* const* argv) {
  MeasureArguments result;
  Texts texts;
  CLI::App app("Measures messages between the ranks it is started on.", "postage-measure");
  app.footer("Example:\n  mpirun -n 2 --bind-to core postage-measure-openmpi --sizes 8,64K -o samples.json");
  add_options(app, result, texts);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    result.help = app.help();
    return result;
  } catch (const CLI::ParseError& mistake) {
    throw UsageError(fmt::format("{}; see --help", mistake.what()));
  }
  result.settings.budget = parse_seconds(texts.budget);
  result.plan = plan_of(texts);
  return result;
}

}  // namespace postage
