#pragma once

#include <postage/schedule/tree_file.hpp>

#include <span>

namespace postage::preload {

/// Collective over MPI_COMM_WORLD, in MPI_Init: rank 0 reads the schedule files that POSTAGE_SCHEDULES names, with
/// colons between them, and gives them to all. Of a file that cannot be read, is no schedule of its collective, or is
/// for another number of ranks than MPI_COMM_WORLD has, it says so in one sentence, and does without.
void load_schedules();

/// Those that can be used.
[[nodiscard]] std::span<const CollectiveTree> schedule_trees();

}  // namespace postage::preload
