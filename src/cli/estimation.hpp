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

/// The platform on standard output: as JSON, or as a table that ends with the file's name.
void print_platform(const Platform& platform, bool as_json, const std::string& written_to);

}  // namespace postage
