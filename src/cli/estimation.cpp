#include "cli/estimation.hpp"

#include "cli/tables/platform_table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>

namespace postage {

void print_remarks(const SampleSet& samples) {
  for (const std::string& remark : remarks_on(samples)) {
    fmt::print(stderr, "postage: {}\n", remark);
  }
}

Platform estimate_models(const SampleSet& samples, const std::string& name, const EstimateSettings& settings) {
  std::vector<std::string> left_out;
  Platform platform = estimate_platform(samples, name, settings, &left_out);
  for (const std::string& sentence : left_out) {
    fmt::print(stderr, "postage: {}\n", sentence);
  }
  if (platform.models.empty()) {
    throw Error(
        "the samples are too few for the parameters of any model: measure more sizes, or with a longer --budget");
  }
  return platform;
}

void print_platform(const Platform& platform, bool as_json, const std::string& written_to) {
  if (as_json) {
    fmt::print("{}\n", to_json(platform).dump(1));
  } else {
    print_platform(platform);
    fmt::print("wrote {}\n", written_to);
  }
}

}  // namespace postage
