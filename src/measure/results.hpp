#pragma once

#include "measure/arguments.hpp"

#include <postage/measure/campaign.hpp>

#include <string>

namespace postage {

/// What a measuring program does during a campaign: says how far it is, and looks whether to stop.
[[nodiscard]] CampaignHooks hooks_of(const MeasureArguments& arguments);

/// A sentence on the error output.
void warn(const std::string& sentence);

/// Writes the samples file, or prints a table where `output` is empty.
void write_or_print(const SampleSet& samples, const std::string& output);

}  // namespace postage
