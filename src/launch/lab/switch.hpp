#pragma once

#include <postage/launch/lab_plan.hpp>

#include <string>
#include <vector>

namespace postage {

/// Makes a host's interface, whose frames are read from and written to the descriptor that is returned; it goes when
/// that is closed. Throws Error where the kernel cannot do that.
[[nodiscard]] int make_tap(const std::string& network_namespace);

/// Passes frames between the descriptors, one for each host, for ever.
[[noreturn]] void run_switch(const LabPlan& plan, const std::vector<int>& taps);

}  // namespace postage
