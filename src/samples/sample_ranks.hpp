#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/samples/samples.hpp>

namespace postage {

/// Throws Error unless all that is measured is between the ranks of `file`, and these are on its nodes.
void check_ranks(const SampleSet& samples, const JsonField& file);

}  // namespace postage
