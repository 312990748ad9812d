#pragma once

#include <filesystem>
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

/// Where the doctor looks.
struct DoctorPlaces {
  std::filesystem::path root = "/";  ///< what /proc, /sys and /dev are below
  std::string search_path;           ///< folders of launchers, separated by colons as in PATH
  std::filesystem::path programs;    ///< the folder of the measuring programs
};

/// Looks at this machine: topology, cores, binding, load, clock rate, MPI, kernel-assisted copy, shared memory. Starts
/// short-lived processes. What cannot be seen becomes a finding of its own.
[[nodiscard]] DoctorReport examine_machine(const DoctorPlaces& places);

}  // namespace postage
