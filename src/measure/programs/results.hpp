#pragma once

#include "measure/programs/arguments.hpp"

#include <postage/measure/campaign.hpp>

#include <string>

namespace postage {

/// What a measuring program does during a campaign: says how far it is, and looks whether to stop.
[[nodiscard]] CampaignHooks hooks_of(const MeasureArguments& arguments);

/// A sentence on the error output.
void warn(const std::string& sentence);

/// Throws Error, before anything is measured, where the samples file could not be written: makes its folder, and writes
/// a file beside it that it takes away again. Nothing where `output` is empty.
void check_output(const std::string& output);

/// Writes the samples file, or prints a table where `output` is empty.
void write_or_print(const SampleSet& samples, const std::string& output);

}  // namespace postage
