#pragma once

#include <postage/samples/samples.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace postage {

/// Writes the samples into the folder, as campaign-1.json, or the next number that is free there; returns the file.
std::filesystem::path save_samples(const std::filesystem::path& folder, const SampleSet& samples);

/// Reads files, and all .json files of folders, in the order of their names, as one set of samples. Throws UsageError
/// where there are none, Error where one cannot be read or they do not belong together.
[[nodiscard]] SampleSet load_samples(const std::vector<std::string>& paths);

}  // namespace postage
