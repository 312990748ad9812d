#pragma once

#include "tuning/lint/mpich/conditions.hpp"

#include <postage/base/json_lines.hpp>

#include <string>

namespace postage {

/// MPICH reads three files of one form, each with leaves of its own: algorithms of all collectives, ch4's compositions
/// of them, and algorithms of POSIX shared memory.
enum class MpichFile : std::uint8_t { kAlgorithms, kCompositions, kSharedMemory };

[[nodiscard]] MpichFile mpich_file_of(const MpichKey& leaf);
/// What most leaves of a tree are of.
[[nodiscard]] MpichFile mpich_file_of(const JsonLine& root);

/// Collectives that a tree of algorithms has no rules of, with commas between.
[[nodiscard]] std::string missing_collectives(const JsonLine& root);

}  // namespace postage
