#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// One thing that the doctor looked at.
struct Finding {
  enum class Status {
    kOk,
    kWarning,  ///< measuring works, but what it gives is worse or means less
    kProblem,  ///< measuring is impossible
  };
  std::string topic;
  Status status = Status::kOk;
  std::string seen;
  std::string advice;  ///< why it matters and what to do; empty if there is nothing to do
  bool operator==(const Finding&) const = default;
};

[[nodiscard]] const char* status_name(Finding::Status status);

struct DoctorReport {
  std::vector<Finding> findings;

  [[nodiscard]] bool can_measure() const;
};

/// An MPI that measuring could start, or one that lacks a part of it: paths are empty where there is nothing.
struct MpiInstallation {
  std::string flavour;  ///< openmpi, mpich, smpi or custom
  std::filesystem::path launcher;
  std::filesystem::path program;  ///< postage-measure-FLAVOUR
};

/// Looks at this machine: topology, cores, binding, load, clock rate, MPI, kernel-assisted copy, shared memory; /proc,
/// /sys and /dev are read below `root`. Starts short-lived processes. What cannot be seen becomes a finding of its own.
[[nodiscard]] DoctorReport examine_machine(const std::filesystem::path& root, std::span<const MpiInstallation> mpis);

}  // namespace postage
