#pragma once

#include <postage/estimate/estimate.hpp>
#include <postage/samples/samples.hpp>

#include <string>

namespace postage {

/// Prints remarks_on the samples on standard error.
void print_remarks(const SampleSet& samples);

/// estimate_platform; prints on standard error what is left out. Throws Error where no model is left.
[[nodiscard]] Platform estimate_models(const SampleSet& samples, const std::string& name,
                                       const EstimateSettings& settings = {});

/// How a platform is printed: as JSON, or as its summary, with the parameters of its models.
struct PlatformOutput {
  bool as_json = false;
  bool with_parameters = false;
  bool replaced_file = false;  ///< there was one before
};

/// The platform on standard output, and the file that it was written to.
void print_platform(const Platform& platform, const PlatformOutput& output, const std::string& written_to);

}  // namespace postage
