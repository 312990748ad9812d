#pragma once

#include <postage/bench/messages.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace postage {

/// A program of a repetition, and how to start it with a plan behind.
struct BenchProgram {
  std::string name;
  std::vector<std::string> command;
};

/// What the command says with these words behind it. Throws Error where it fails or takes longer than 10 minutes.
[[nodiscard]] std::string run_with(std::vector<std::string> command, std::initializer_list<std::string> further);

/// Of each program that passes messages, by valgrind.
[[nodiscard]] std::vector<CacheMisses> simulate_cache_misses(const std::vector<BenchProgram>& programs);

}  // namespace postage
