#pragma once

#include <postage/base/options.hpp>
#include <postage/launch/lab_plan.hpp>

namespace postage {

/// Options of postage lab up, but for the lab's name.
void add_lab_plan_options(Command& command, LabRequest& request);

}  // namespace postage
