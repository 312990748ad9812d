#include "measure/arguments.hpp"

#include <postage/base/error.hpp>
#include <postage/base/options.hpp>
#include <postage/measure/setting_options.hpp>

#include <fmt/format.h>

#include <array>

namespace postage {
namespace {

/// A list of sizes among the options.
struct SizeOption {
  const char* name;
  const char* help;
  std::vector<Bytes> CampaignPlan::*sizes;
  const char* standard;
};

constexpr std::array<SizeOption, 15> kSizes{{
    {"--sizes", "Roundtrips with equal replies", &CampaignPlan::roundtrip_sizes, "1:4M:x2"},
    {"--echo-sizes", "Roundtrips that pass on what was received", &CampaignPlan::echo_sizes, "none"},
    {"--reply-sizes", "Roundtrips with empty replies", &CampaignPlan::reply_sizes, "none"},
    {"--overhead-sizes", "What sending and receiving keep a rank", &CampaignPlan::overhead_sizes, "1"},
    {"--train-sizes", "One and many messages in one direction", &CampaignPlan::train_sizes, "1,1K,64K"},
    {"--delayed-sizes", "Trains with delays between messages", &CampaignPlan::delayed_sizes, "none"},
    {"--strided-sizes", "Roundtrips of messages that lie apart in memory", &CampaignPlan::strided_sizes, "none"},
    {"--one-to-two-sizes", "One rank to two others", &CampaignPlan::one_to_two_sizes, "none"},
    {"--concurrent-sizes", "Pairs and rings at once over each channel", &CampaignPlan::concurrent_sizes, "none"},
    {"--fan-sizes", "All to one, one to all, and an exchange that begins together, over each channel",
     &CampaignPlan::fan_sizes, "none"},
    {"--butterfly-sizes", "Exchanges at once over each channel", &CampaignPlan::butterfly_sizes, "none"},
    {"--sweep-sizes", "Linear scatter and gather", &CampaignPlan::sweep_sizes, "none"},
    {"--copy-sizes", "Copying memory, and following a program, on one rank of each host", &CampaignPlan::copy_sizes,
     "none"},
    {"--reduction-sizes", "Adding vectors on one rank of each host", &CampaignPlan::reduction_sizes, "none"},
    {"--control-sizes", "Roundtrips before and after everything else", &CampaignPlan::control_sizes, "1K,16K,256K"},
}};

/// Sizes and collectives as typed.
struct Texts {
  std::array<std::string, kSizes.size()> sizes;
  std::string strides = "8,64,512";
  std::string run_bytes = "4";
  std::string largest_adaptive = "0";
  std::vector<std::string> collectives;
};

void fill_plan(const Texts& texts, CampaignPlan& plan) {
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    plan.*kSizes[i].sizes = texts.sizes[i] == "none" ? std::vector<Bytes>{} : parse_sizes(texts.sizes[i]);
  }
  plan.strides = parse_sizes(texts.strides);
  plan.run_bytes = parse_bytes(texts.run_bytes);
  plan.largest_adaptive = parse_bytes(texts.largest_adaptive);
  for (const std::string& text : texts.collectives) {
    plan.collectives.push_back(parse_collective_run(text));
  }
}

void add_plan_options(Command& app, Texts& texts) {
  for (std::size_t i = 0; i < kSizes.size(); ++i) {
    texts.sizes[i] = kSizes[i].standard;
    app.option(kSizes[i].name, texts.sizes[i], std::string(kSizes[i].help) + ": sizes like 8,1K or 1:4M:x2, or none")
        .with_default();
  }
  app.option("--strides", texts.strides, "Bytes from run to run of strided messages").with_default();
  app.option("--run", texts.run_bytes, "Bytes of a run of strided messages").with_default();
  app.option("--adaptive", texts.largest_adaptive,
             "Overheads, trains and empty replies at sizes chosen on the way, up to this one; 0 for none")
      .with_default();
  app.option("--collective", texts.collectives,
             "A collective to time, COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK]; may be repeated");
}

}  // namespace

MeasureArguments parse_measure_arguments(int argc, const char* const* argv) {
  MeasureArguments result;
  Texts texts;
  CommandLine app("postage-measure", "Measures messages between the ranks it is started on.");
  app.footer("Example:\n  mpirun -n 2 --bind-to core postage-measure-openmpi --sizes 8,64K -o samples.json");
  app.option("-o,--output", result.output, "Samples file to write; without it only a table is printed");
  add_plan_options(app, texts);
  SettingOptions settings;
  add_setting_options(app, settings);
  app.flag("--as-far-as-possible", result.plan.as_far_as_possible, "Leave out what needs more ranks");
  app.option("--stop-file", result.stop_file, "End with what was measured when this file appears");
  app.flag("--progress", result.progress, "Say how far it is, in lines for a program to read");
  result.help = app.parse(argc, argv);
  if (!result.help.empty()) {
    return result;
  }
  result.settings = settings_of(settings);
  fill_plan(texts, result.plan);
  return result;
}

}  // namespace postage
