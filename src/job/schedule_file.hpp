#pragma once

#include <postage/job/job.hpp>
#include <postage/schedule/tree_file.hpp>

#include <string>

namespace postage {

/// Reads a schedule file, and checks what it says beside what is given: a collective, which may be empty, a number of
/// ranks and a root, 0 where none are. Throws Error or UsageError.
[[nodiscard]] CollectiveTree read_agreeing(const std::string& file, const std::string& collective, Rank ranks,
                                           Rank root);

/// Reads --schedule: what the file says, the command line need not say again. Throws UsageError where it says
/// otherwise.
void take_schedule(JobOptions& options);

/// The file's schedule, for blocks of so many bytes where they are equal; --segment instead of its own segments, where
/// given.
[[nodiscard]] JobSchedule schedule_from_file(const JobOptions& options, Bytes bytes);

}  // namespace postage
