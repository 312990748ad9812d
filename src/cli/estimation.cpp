#include "cli/estimation.hpp"

#include "cli/options/remark.hpp"
#include "cli/table.hpp"
#include "cli/tables/platform_table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/report/summary.hpp>

#include <fmt/format.h>

namespace postage {

void print_remarks(const SampleSet& samples) {
  for (const std::string& remark : remarks_on(samples)) {
    print_remark("postage: {}\n", remark);
  }
}

Platform estimate_models(const SampleSet& samples, const std::string& name, const EstimateSettings& settings) {
  std::vector<std::string> left_out;
  Platform platform = estimate_platform(samples, name, settings, &left_out);
  for (const std::string& sentence : left_out) {
    print_remark("postage: {}\n", sentence);
  }
  if (platform.models.empty()) {
    throw Error(
        "the samples are too few for the parameters of any model: measure more sizes, or with a longer --budget");
  }
  return platform;
}

void print_platform(const Platform& platform, const PlatformOutput& output, const std::string& written_to) {
  if (output.as_json) {
    fmt::print("{}\n", to_json(platform).dump(1));
    return;
  }
  fmt::print("{}", render(platform_summary(platform), output_width()));
  if (output.with_parameters) {
    print_parameters(platform);
  }
  print_thresholds(platform);
  fmt::print("{} {}{}\n", output.replaced_file ? "replaced" : "wrote", written_to,
             output.with_parameters ? "" : "; --parameters prints those of every model");
}

}  // namespace postage
