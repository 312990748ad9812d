#pragma once

#include "preload/probes/candidate.hpp"

#include <vector>

namespace postage::preload {

// What was found out on communicators of the same ranks of MPI_COMM_WORLD, in this order, so that their copies need not
// find it out again. Nothing is kept of ranks that are not all of MPI_COMM_WORLD. Threads may call these at a time.

[[nodiscard]] Choices known_choices(const std::vector<int>& members);
void note_choice(const std::vector<int>& members, Entry entry, int size_class, Candidate choice);

}  // namespace postage::preload
