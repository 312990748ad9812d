#pragma once

#include <postage/optimize/resources.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace postage {

/// Which resource to buy: what a schedule of `now` seconds would take with each.
void print_gains(const std::vector<ResourceGain>& gains, Seconds now);

/// The heading of what is explained on another machine.
void print_what_if(const std::string& text, std::int32_t further_nodes);

}  // namespace postage
