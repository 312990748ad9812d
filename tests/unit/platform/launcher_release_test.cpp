#include <postage/platform/launcher_release.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

void expect_release(const std::string& answer, const char* library, const char* version, const char* text) {
  const LauncherRelease release = release_in(answer);
  EXPECT_EQ(release.library, library) << answer;
  EXPECT_EQ(release.version, version) << answer;
  EXPECT_EQ(release.text, text) << answer;
}

TEST(LauncherRelease, IsReadFromWhatLaunchersSayOfThemselves) {
  expect_release("mpirun.openmpi (OpenRTE) 4.1.4\n\nReport bugs to http://x\n", "Open MPI", "4.1.4", "Open MPI 4.1.4");
  expect_release("mpirun (Open MPI) 5.0.3\n", "Open MPI", "5.0.3", "Open MPI 5.0.3");
  expect_release("HYDRA build details:\n    Version:         4.0.2\n    CC: gcc\n", "MPICH", "4.0.2", "MPICH 4.0.2");
  expect_release("SimGrid version 3.32\n", "SimGrid", "3.32", "SimGrid 3.32");
  const char* const intel = "Intel(R) MPI Library for Linux* OS, Version 2021.5 Build 20211102";
  expect_release(intel, "Intel MPI", "2021.5", intel);
  expect_release("slurm 22.05.8\n", "", "", "slurm 22.05.8");
  expect_release("GNU Make\n  Version: 4.3\n", "", "", "GNU Make");
  expect_release("", "", "", "");
}

TEST(LauncherRelease, IsEmptyWhereThereIsNoSuchProgram) {
  EXPECT_EQ(release_of("/no/such/mpirun").text, "");
  EXPECT_EQ(release_of("no such; program").text, "");
}

}  // namespace
}  // namespace postage
