#pragma once

#include <postage/job/predictions.hpp>

#include <vector>

namespace postage {

/// What `postage predict` prints.
void print_rows(const std::vector<PredictionRow>& rows);

}  // namespace postage
