#pragma once

#include <postage/samples/samples.hpp>

#include <string>
#include <vector>

namespace postage {

// The host of a virtual machine moves its processors, and other guests slow them: what ranks of one host send one
// another then takes up to five times as long for seconds or minutes. Measurement::links tell, slot by slot.

/// The measurements as if the machine had been in one state: of each experiment with links only those sampling slots
/// are left in which a message between its first two ranks took no more than sqrt(2) times more or less than in the
/// middle of the factor of two that holds most slots of these ranks; at least three, the nearest. What is left is
/// brought to that middle: the slope of log(time) over log(link) within experiments of one kind and about one size (all
/// below 2 KiB, below 32 KiB, and above) is taken out where it is at least twice its standard error (analysis of
/// covariance), at most as far as 1.2. Experiments without links, or without kept values, stay as they are. O(n log n)
/// for n slots.
[[nodiscard]] std::vector<Measurement> in_one_state(std::vector<Measurement> measurements,
                                                    const MeasureSettings& settings, Seconds clock_tick);

/// Gives the measurements the summaries that they have in_one_state; their values stay.
void summarise_in_one_state(std::vector<Measurement>& measurements, const MeasureSettings& settings,
                            Seconds clock_tick);

/// A sentence where in_one_state leaves out a twentieth of the slots, or more; else empty.
[[nodiscard]] std::string tell_other_states(const std::vector<Measurement>& measurements);

}  // namespace postage
