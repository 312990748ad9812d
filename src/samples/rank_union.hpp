#pragma once

#include <postage/samples/samples.hpp>

#include <string>
#include <vector>

namespace postage {

/// True where hosts or the placement of ranks differ.
[[nodiscard]] bool is_elsewhere(const SampleSet& a, const SampleSet& b);

/// Numbers hosts and ranks of `other` as a campaign that has those of `merged` and then its own does, and adds these to
/// `merged`: hosts are the same by their names, ranks by their host and core. Experiments of all ranks are dropped
/// where those are not the same numbers in `merged`; returns how many. Throws Error where a host has other cores.
std::size_t unite_ranks(SampleSet& merged, SampleSet& other, const std::string& name);

}  // namespace postage
