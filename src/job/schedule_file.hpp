#pragma once

#include <postage/job/job.hpp>

namespace postage {

/// Reads --schedule: what the file says, the command line need not say again. Throws UsageError where it says
/// otherwise.
void take_schedule(JobOptions& options);

/// The file's schedule, for blocks of so many bytes where they are equal; --segment instead of its own segments, where
/// given.
[[nodiscard]] JobSchedule schedule_from_file(const JobOptions& options, Bytes bytes);

}  // namespace postage
