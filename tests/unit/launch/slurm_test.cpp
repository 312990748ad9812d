#include <postage/launch/slurm.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

namespace postage {
namespace {

TEST(Slurm, TellsWhenItEndsAJob) {
  setenv("TZ", "UTC", 1);
  tzset();
  EXPECT_EQ(end_time_in("   StartTime=2026-11-23T07:00:00 EndTime=2026-11-23T08:22:00 Deadline=N/A"), 1795422120.0);
  EXPECT_EQ(end_time_in("EndTime=Unknown Deadline=N/A"), std::nullopt);
  EXPECT_EQ(end_time_in("slurm_load_jobs error: Invalid job id specified"), std::nullopt);
}

TEST(Slurm, LeavesTheTimeThatTheEnvironmentSays) {
  unsetenv("SLURM_JOB_ID");
  unsetenv("SLURM_JOB_END_TIME");
  EXPECT_EQ(slurm_time_left(), std::nullopt);
  setenv("SLURM_JOB_END_TIME", std::to_string(std::time(nullptr) + 100).c_str(), 1);
  EXPECT_NEAR(slurm_time_left().value_or(0), 100, 2);
  unsetenv("SLURM_JOB_END_TIME");
}

}  // namespace
}  // namespace postage
