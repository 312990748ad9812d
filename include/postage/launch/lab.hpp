#pragma once

#include <postage/base/json.hpp>
#include <postage/launch/lab_plan.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A cluster of network namespaces on this machine, joined by a switch: real MPI over real TCP, with rates and
/// latencies that are known. Needs Linux, root, and the commands ip and tc.

/// Builds it; what was built is taken down again where that fails. Throws UsageError for an invalid plan,
/// Error where root, a command or the kernel's support is missing, or a lab of that name is up or left over.
void build_lab(const LabPlan& plan);

/// Ends all processes in the lab and removes everything that belongs to it, whole or half built; false where there was
/// nothing. Throws Error without root or where something stays.
bool remove_lab(const std::string& name);

struct LabStatus {
  LabPlan plan;
  bool whole = false;         ///< everything is there; else only remove_lab helps
  std::size_t processes = 0;  ///< that run on its hosts
};

/// Rates in bytes per second, latencies in seconds; switches and their cables where there are several.
[[nodiscard]] Json to_json(const LabStatus& status);

/// Throws Error where no such lab is up, or without root, who alone sees what runs in it.
[[nodiscard]] LabStatus lab_status(const std::string& name);

/// An MPI job on a lab: `per_host` ranks on h0, as many on h1, and so on.
struct LabJob {
  std::string mpi;  ///< openmpi or mpich; empty takes the first that is there
  int ranks = 0;    ///< 0: all that fit
  int per_host = 1;
  std::filesystem::path rank_file{};  ///< puts each rank on a slot: Open MPI's rankfile, MPICH's file of hosts
  std::vector<std::string> command;
};

/// Becomes the job's launcher on host h0; does not return. Throws Error where the lab is not up or not whole, or the
/// launcher is missing, UsageError for more ranks than slots.
[[noreturn]] void become_lab_job(const std::string& name, const LabJob& job);

/// Becomes a command on a host, called as launchers call ssh: options, the name of the host, the words of a shell
/// command. Throws UsageError or Error.
[[noreturn]] void become_lab_command(const std::string& name, std::span<const std::string> words);

}  // namespace postage
