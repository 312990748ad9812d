#pragma once

#include <postage/base/units.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace postage {

/// Seconds until Slurm ends the job that this process runs in: what SLURM_JOB_END_TIME says, else what scontrol says of
/// SLURM_JOB_ID. Nothing outside of jobs, or where neither knows.
[[nodiscard]] std::optional<Seconds> slurm_time_left();

/// The moment that `scontrol show job` names as "EndTime=2026-11-23T08:22:00", in local time, as seconds since 1970.
/// Nothing where there is none, as for jobs without a limit.
[[nodiscard]] std::optional<Seconds> end_time_in(std::string_view scontrol_output);

}  // namespace postage
