#pragma once

#include <postage/papers/context.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postage::rico_gallego_paper {

/// Seconds of collectives on a simulated machine, by the bytes of a rank's block. A block is sent in pieces of
/// `segment` bytes, or whole for 0.
struct SimulatedCollective {
  std::string_view collective;
  std::string_view algorithm;
  std::vector<Bytes> blocks;
  Bytes segment = 0;
};

[[nodiscard]] std::map<Bytes, Seconds> simulate_collective(const PaperContext& context, const VirtualMachine& machine,
                                                           int ranks, Placement placement,
                                                           const SimulatedCollective& wanted);

}  // namespace postage::rico_gallego_paper
