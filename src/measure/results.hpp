#pragma once

#include <postage/measure/samples.hpp>

#include <string>

namespace postage {

/// Writes the samples file, or prints a table where `output` is empty.
void write_or_print(const SampleSet& samples, const std::string& output);

}  // namespace postage
