#pragma once

#include <postage/base/units.hpp>
#include <postage/platform/doctor.hpp>

#include <hwloc.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The doctor's judgements, each a function of facts that a test can make up. Functions of a `root` read the files of
// /proc and /sys below it.
namespace postage {

/// What hwloc counts, and its caches in words: "L3 36 MiB x 2".
struct MachineShape {
  int sockets = 0;
  int numa_nodes = 0;
  int cores = 0;
  int threads = 0;
  std::vector<std::string> caches;
};
[[nodiscard]] MachineShape machine_shape(hwloc_topology_t topology);
[[nodiscard]] Finding judge_topology(const MachineShape& shape);

/// "0-3,8" -> 5; nothing for what is not such a list.
[[nodiscard]] std::optional<int> count_cpu_list(const std::string& list);

/// Processors that are online, against those that control group and binding leave to this process.
[[nodiscard]] Finding judge_processors(const std::filesystem::path& root);
/// The least quota of processor time of this process's control group and those above it, in processors.
[[nodiscard]] std::optional<double> processor_quota(const std::filesystem::path& root);
[[nodiscard]] Finding judge_quota(const std::filesystem::path& root);
/// Other programs that want the cores, and how many ranks these can hold.
[[nodiscard]] Finding judge_load(const std::filesystem::path& root, int cores);
[[nodiscard]] Finding judge_clock_rate(const std::filesystem::path& root);

struct SharedMemory {
  Bytes size = 0;
  Bytes available = 0;
};
[[nodiscard]] std::optional<SharedMemory> shared_memory(const std::filesystem::path& root);
[[nodiscard]] Finding judge_shared_memory(const std::optional<SharedMemory>& memory, int cores);

/// What process_vm_readv answered: 0, or the errno; kWrongBytes if it read something else.
struct KernelCopyProbe {
  static constexpr int kWrongBytes = -1;
  static constexpr int kNotProbed = -2;
  int own = kNotProbed;      ///< reading from itself
  int sibling = kNotProbed;  ///< from a process that is neither parent nor child
  int willing = kNotProbed;  ///< from one that has allowed it by prctl(PR_SET_PTRACER)
};
/// Really tries, between processes that it starts.
[[nodiscard]] KernelCopyProbe try_kernel_copy();
[[nodiscard]] Finding judge_kernel_copy(const KernelCopyProbe& probe, const std::filesystem::path& root);

/// One finding for each, which asks its launcher for its version, and a problem if there is none to measure with.
[[nodiscard]] std::vector<Finding> judge_mpi(std::span<const MpiInstallation> mpis);

}  // namespace postage
