#pragma once

#include <postage/launch/lab_plan.hpp>

namespace postage {

/// The cables of a lab, one a line.
void print_lab(const LabPlan& plan);

}  // namespace postage
