#pragma once

#include "bench/cache_misses.hpp"

#include <postage/bench/messages.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace postage {

/// A program that was built with postage. Throws Error that says how to build it.
[[nodiscard]] std::filesystem::path require_built(const std::string& name);

/// Hardware threads of the ranks for all pairs at this locality level: the first rank of each pair, then their
/// partners. Throws UsageError for other names, and where this machine has no two such cores.
[[nodiscard]] std::vector<int> hardware_threads_of(const std::string& level);

/// What a repetition starts. Programs over shared memory read their thresholds from files in `folder`: measured ones
/// from `measured`, which each repetition writes anew.
[[nodiscard]] std::vector<BenchProgram> programs_of(const MessageBenchPlan& plan, const std::filesystem::path& folder,
                                                    const std::filesystem::path& measured);

/// Writes a platform file that holds these thresholds for every locality level.
void write_thresholds(const std::filesystem::path& file, const ProtocolThresholds& thresholds);

/// Whatever is longer than a cell of the ring by single copy, as paper 002, section 3, sets its eager threshold to 0.
inline constexpr ProtocolThresholds kPureSingleCopy{.eager = 0,
                                                    .single_copy = 0,
                                                    .cooperative = ProtocolThresholds::kNever,
                                                    .skewed_single_copy = 0,
                                                    .bidirectional_single_copy = 0};
/// Paper 002, sections 4.1 and 4.2, between sockets' cores: single copy from 2 KB on, but not towards a receiver that
/// reports skew.
inline constexpr ProtocolThresholds kSkewAware{.eager = 1024,
                                               .single_copy = 2048,
                                               .cooperative = ProtocolThresholds::kNever,
                                               .skewed_single_copy = 256 << 10,
                                               .bidirectional_single_copy = 2048};

}  // namespace postage
