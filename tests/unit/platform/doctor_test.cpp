#include "platform/doctor_checks.hpp"

#include <postage/base/files.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

namespace postage {
namespace {

namespace fs = std::filesystem;
using Status = Finding::Status;

// A made-up machine: files of /proc and /sys below a folder of its own.
class Doctor : public testing::Test {
 protected:
  Doctor() : root_(fs::temp_directory_path() / ("postage-doctor-" + std::to_string(getpid()))) {
    fs::remove_all(root_);
    fs::create_directories(root_);
  }
  ~Doctor() override { fs::remove_all(root_); }

  void put(const std::string& path, const std::string& content) const { write_file(root_ / path, content); }
  void put_program(const std::string& path, const std::string& script) const {
    put(path, "#!/bin/sh\n" + script);
    fs::permissions(root_ / path, fs::perms::owner_all);
  }

  fs::path root_;
};

void expect_mentions(const Finding& finding, Status status, const std::string& seen, const std::string& advice) {
  EXPECT_STREQ(status_name(finding.status), status_name(status)) << finding.seen;
  EXPECT_NE(finding.seen.find(seen), std::string::npos) << finding.seen;
  EXPECT_NE(finding.advice.find(advice), std::string::npos) << finding.advice;
  EXPECT_EQ(advice.empty(), finding.advice.empty()) << finding.advice;
}

MachineShape synthetic_machine(const char* description) {
  hwloc_topology_t topology = nullptr;
  hwloc_topology_init(&topology);
  EXPECT_EQ(hwloc_topology_set_synthetic(topology, description), 0);
  EXPECT_EQ(hwloc_topology_load(topology), 0);
  MachineShape shape = machine_shape(topology);
  hwloc_topology_destroy(topology);
  return shape;
}

TEST(DoctorTopology, CountsWhatHwlocSees) {
  expect_mentions(judge_topology(synthetic_machine("pack:2 [numa] l3:1(size=33554432) core:4 l1:1(size=32768) pu:2")),
                  Status::kOk, "2 sockets, 2 NUMA nodes, 8 cores, 16 hardware threads; L3 32 MiB x 2, L1 32 KiB x 8",
                  "");
}

TEST(DoctorTopology, WarnsOfOneCoreAndOfInvisibleCaches) {
  expect_mentions(judge_topology(synthetic_machine("pack:1 l2:1 core:1 pu:2")), Status::kWarning, "1 core,",
                  "two ranks share");
  expect_mentions(judge_topology(synthetic_machine("pack:1 core:2 pu:1")), Status::kWarning, "caches not visible",
                  "unknown");
  EXPECT_EQ(synthetic_machine("numa:1 pu:3").cores, 3);
}

TEST(DoctorProcessors, CountsCpuLists) {
  EXPECT_EQ(count_cpu_list("0"), 1);
  EXPECT_EQ(count_cpu_list("0-3,8,10-11"), 7);
  for (const char* text : {"", "a", "3-1", "1-", "-1", "0,,1", "0-1x"}) {
    EXPECT_EQ(count_cpu_list(text), std::nullopt) << text;
  }
}

TEST_F(Doctor, ComparesProcessorsOnlineAndAllowed) {
  expect_mentions(judge_processors(root_), Status::kWarning, "cannot be read", "mount /proc");
  put("sys/devices/system/cpu/online", "0-3\n");
  put("proc/self/status", "Name:\tpostage\nCpus_allowed:\tf\nCpus_allowed_list:\t0-3\n");
  expect_mentions(judge_processors(root_), Status::kOk, "4 of the 4 processors that are online (0-3)", "");
  put("proc/self/status", "Cpus_allowed_list:\t2\n");
  expect_mentions(judge_processors(root_), Status::kWarning, "1 of the 4", "taskset");
}

TEST_F(Doctor, FindsTheTightestQuotaOfVersion2) {
  EXPECT_EQ(processor_quota(root_), std::nullopt);
  put("proc/self/cgroup", "0::/batch/job\n");
  put("sys/fs/cgroup/batch/job/cpu.max", "max 100000\n");
  expect_mentions(judge_quota(root_), Status::kOk, "no control group limits", "");
  put("sys/fs/cgroup/batch/cpu.max", "150000 100000\n");
  EXPECT_EQ(processor_quota(root_), 1.5);
  put("sys/fs/cgroup/batch/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(processor_quota(root_), 0.5);
  expect_mentions(judge_quota(root_), Status::kWarning, "0.5 processors", "--cpuset-cpus");
}

TEST_F(Doctor, FindsTheQuotaOfVersion1) {
  put("proc/self/cgroup", "9:name=systemd:/x\n3:cpuset:/\n2:cpu,cpuacct:/docker/a\n");
  put("sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processor_quota(root_), std::nullopt);
  put("sys/fs/cgroup/cpu,cpuacct/docker/a/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(processor_quota(root_), 2.0);
}

TEST_F(Doctor, WarnsOfOtherPrograms) {
  expect_mentions(judge_load(root_, 2), Status::kWarning, "cannot be read", "mount /proc");
  put("proc/loadavg", "0.12 0.08 0.02 2/93 12836\n");
  expect_mentions(judge_load(root_, 2), Status::kOk, "0.12 programs", "");
  put("proc/loadavg", "1.90 0.08 0.02 2/93 12836\n");
  expect_mentions(judge_load(root_, 2), Status::kWarning, "1.90 programs", "More ranks than cores");
}

TEST_F(Doctor, ReadsGovernorAndTurbo) {
  expect_mentions(judge_clock_rate(root_), Status::kOk, "not visible", "nothing to do");
  put("proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lahf_lm\n");
  expect_mentions(judge_clock_rate(root_), Status::kOk, "not visible: this is a virtual machine", "nothing to do");
  put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  put("sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  expect_mentions(judge_clock_rate(root_), Status::kOk, "governor performance; turbo off", "");
  put("sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  expect_mentions(judge_clock_rate(root_), Status::kOk, "governor performance; turbo on", "how many cores are busy");
  put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  expect_mentions(judge_clock_rate(root_), Status::kWarning, "governor performance, powersave", "cpupower");
}

TEST_F(Doctor, SaysWhyKernelCopyFails) {
  expect_mentions(judge_kernel_copy({0, 0, 0}, root_), Status::kOk, "works between two processes", "");
  expect_mentions(judge_kernel_copy({0, EPERM, EPERM}, root_), Status::kWarning, "credentials differ",
                  "user namespace");
  expect_mentions(judge_kernel_copy({EPERM, EPERM, EPERM}, root_), Status::kWarning, "seccomp", "SYS_PTRACE");
  expect_mentions(judge_kernel_copy({ENOSYS, ENOSYS, ENOSYS}, root_), Status::kWarning, "CONFIG_CROSS_MEMORY_ATTACH",
                  "kernel");
  put("proc/self/status", "Seccomp:\t2\nSeccomp_filters:\t1\n");
  expect_mentions(judge_kernel_copy({ENOSYS, ENOSYS, ENOSYS}, root_), Status::kWarning, "seccomp filter hides",
                  "SYS_PTRACE");
  put("proc/sys/kernel/yama/ptrace_scope", "1\n");
  expect_mentions(judge_kernel_copy({0, EPERM, 0}, root_), Status::kWarning, "only for processes that allow it",
                  "sysctl kernel.yama.ptrace_scope=0");
  put("proc/sys/kernel/yama/ptrace_scope", "3\n");
  expect_mentions(judge_kernel_copy({0, EPERM, EPERM}, root_), Status::kWarning, "ptrace_scope is 3", "reboot");
  expect_mentions(judge_kernel_copy({0, KernelCopyProbe::kWrongBytes, 0}, root_), Status::kWarning,
                  "no reason known here", "strace");
  expect_mentions(judge_kernel_copy({0, KernelCopyProbe::kNotProbed, KernelCopyProbe::kNotProbed}, root_),
                  Status::kWarning, "no two processes could be started", "strace");
}

TEST(DoctorKernelCopy, TrialGivesAnAnswerForEachCase) {
  const auto probe = try_kernel_copy();
  EXPECT_NE(probe.own, KernelCopyProbe::kNotProbed);
  EXPECT_NE(probe.sibling, KernelCopyProbe::kNotProbed);
  EXPECT_NE(probe.willing, KernelCopyProbe::kNotProbed);
  EXPECT_NE(probe.own, KernelCopyProbe::kWrongBytes);
  EXPECT_NE(probe.sibling, KernelCopyProbe::kWrongBytes);
}

TEST_F(Doctor, WarnsOfTooLittleSharedMemory) {
  constexpr Bytes kGiB = Bytes{1} << 30;
  EXPECT_EQ(shared_memory(root_).has_value(), false);
  fs::create_directories(root_ / "dev/shm");
  EXPECT_TRUE(shared_memory(root_).has_value());
  expect_mentions(judge_shared_memory(std::nullopt, 2), Status::kWarning, "no /dev/shm", "mount -t tmpfs");
  expect_mentions(judge_shared_memory(SharedMemory{kGiB, kGiB}, 2), Status::kOk, "1024 MiB", "");
  expect_mentions(judge_shared_memory(SharedMemory{kGiB, 0}, 2), Status::kWarning, "0 MiB are free", "64 MiB");
}

TEST_F(Doctor, TellsWhichMpiCanBeUsed) {
  put_program("mpirun.openmpi", "echo 'mpirun.openmpi (OpenRTE) 4.1.4'\n");
  put_program("it's/smpirun", "echo 'SimGrid version 3.32'\n");
  fs::create_symlink("mpirun.openmpi", root_ / "mpirun");
  const MpiInstallation mpis[] = {{"openmpi", root_ / "mpirun.openmpi", "postage-measure-openmpi"},
                                  {"mpich", "", "postage-measure-mpich"},
                                  {"custom", root_ / "mpirun", ""},
                                  {"smpi", root_ / "it's/smpirun", ""}};
  const auto findings = judge_mpi(mpis);
  ASSERT_EQ(findings.size(), 3U) << "mpirun is another name of mpirun.openmpi";
  expect_mentions(findings[0], Status::kOk, "Open MPI 4.1.4", "");
  expect_mentions(findings[0], Status::kOk, "postage-measure-openmpi is built", "");
  expect_mentions(findings[1], Status::kWarning, "there is no mpirun.mpich", "--launcher");
  expect_mentions(findings[2], Status::kWarning, "SimGrid 3.32", "libsimgrid-dev");
  expect_mentions(findings[2], Status::kWarning, "postage-measure-smpi is not built", "make build");
}

TEST_F(Doctor, TellsOfAnotherMpi) {
  put_program("mpirun", "echo 'Vendor MPI 9'\n");
  const MpiInstallation without[] = {{"custom", root_ / "mpirun", ""}};
  expect_mentions(judge_mpi(without).front(), Status::kWarning, "Vendor MPI 9", "MPICXX=");
  const MpiInstallation with[] = {{"custom", root_ / "mpirun", "postage-measure-custom"}};
  const auto findings = judge_mpi(with);
  ASSERT_EQ(findings.size(), 1U);
  expect_mentions(findings[0], Status::kOk, "postage-measure-custom is built", "");
}

TEST(DoctorMpi, WithoutAnyMeasuringIsImpossible) {
  const MpiInstallation mpis[] = {{"openmpi", "", ""}, {"custom", "", ""}};
  const DoctorReport report{judge_mpi(mpis)};
  EXPECT_FALSE(report.can_measure());
  ASSERT_EQ(report.findings.size(), 2U);
  expect_mentions(report.findings[0], Status::kOk, "not installed", "apt-get install openmpi-bin");
  expect_mentions(report.findings[1], Status::kProblem, "no MPI has both", "nothing can be measured");
}

}  // namespace
}  // namespace postage
