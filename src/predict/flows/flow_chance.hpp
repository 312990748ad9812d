#pragma once

#include "predict/flows/flow_program.hpp"

#include <postage/predict/flows/flows.hpp>

#include <vector>

namespace postage {

/// When a rank starts. Each pair of seeds mirrors one another, so that few of them have the median of many. t_0 was
/// measured on ranks that start as far apart, and holds half of that: where it is known, all start together in the
/// middle with the first seed, before such pairs.
[[nodiscard]] Seconds start_of(std::size_t rank, const Flow& model, const FlowChance& chance);

/// What a message's latency and its time for a byte are multiplied by.
struct Slowness {
  double latency = 1;
  double bytes = 1;
};

/// See FlowChance; nothing where no message scatters.
[[nodiscard]] std::vector<Slowness> slowness_of(const FlowProgram& program, const FlowChance& chance);

/// See play_scattered_messages; nothing where no message scatters.
[[nodiscard]] std::vector<Slowness> even_slowness_of(const FlowProgram& program, std::uint64_t seed);

}  // namespace postage
