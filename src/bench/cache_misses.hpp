#pragma once

#include <postage/bench/messages.hpp>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// A program of a repetition, and how to start it with a plan behind.
struct BenchProgram {
  std::string name;
  std::vector<std::string> command;
};

/// What the command says with these words behind it. Throws Error where it fails or takes longer than 10 minutes.
[[nodiscard]] std::string run_with(std::vector<std::string> command, std::initializer_list<std::string> further);

/// Data misses of the first and the last level in the files that cachegrind wrote into `folder`, all processes
/// together.
[[nodiscard]] std::pair<double, double> misses_in(const std::filesystem::path& folder);

/// Of each program that passes messages, by valgrind.
[[nodiscard]] std::vector<CacheMisses> simulate_cache_misses(const std::vector<BenchProgram>& programs);

}  // namespace postage
