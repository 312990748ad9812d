#pragma once

#include <postage/base/units.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A cluster of network namespaces on this machine, joined by a switch: real MPI over real TCP, with rates and
/// latencies that are known. Needs Linux, root, and the commands ip and tc.

/// One host's cable to the switch, full duplex.
struct LabHost {
  double rate = 0;      ///< bytes of Ethernet frames per second in each direction; 0 does not limit it
  Seconds latency = 0;  ///< of the cable: a frame takes its sender's and its receiver's
  bool operator==(const LabHost&) const = default;
};

/// What joins the hosts.
enum class LabSwitch {
  /// A process that keeps every frame for as long as the plan says: rates and latencies hold for messages of all sizes.
  /// It is a processor core's worth of work at about 1 Gbit/s in all.
  kProcess,
  /// The kernel's bridge and token buckets: fast, and exact over many frames, but what a bucket holds passes at once,
  /// and it knows no latency.
  kBridge,
};

struct LabPlan {
  std::string name = "lab";
  std::vector<LabHost> hosts;  ///< called h0, h1, ...
  int mtu = 9000;              ///< bytes of a frame without its Ethernet header
  Bytes queue = 1 << 20;       ///< what a port of the switch keeps for its host before it drops frames
  LabSwitch joined_by = LabSwitch::kProcess;
  bool operator==(const LabPlan&) const = default;
};

/// Reads "100M", "2.5Gbit" or "10kbit": bits per second with decimal prefixes, as networks are sold. In bytes per
/// second. Throws UsageError.
[[nodiscard]] double parse_bit_rate(std::string_view text);
/// The shortest exact form: 12.5e6 -> "100Mbit"; "unlimited" for 0.
[[nodiscard]] std::string format_bit_rate(double bytes_per_second);

inline constexpr std::size_t kMostLabHosts = 64;

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

/// Throws Error where no such lab is up, or without root, who alone sees what runs in it.
[[nodiscard]] LabStatus lab_status(const std::string& name);

/// An MPI job on a lab: `per_host` ranks on h0, as many on h1, and so on.
struct LabJob {
  std::string mpi;  ///< openmpi or mpich; empty takes the first that is there
  int ranks = 0;    ///< 0: all that fit
  int per_host = 1;
  std::vector<std::string> command;
};

/// Becomes the job's launcher on host h0; does not return. Throws Error where the lab is not up or not whole, or the
/// launcher is missing, UsageError for more ranks than slots.
[[noreturn]] void become_lab_job(const std::string& name, const LabJob& job);

/// Becomes a command on a host, called as launchers call ssh: options, the name of the host, the words of a shell
/// command. Throws UsageError or Error.
[[noreturn]] void become_lab_command(const std::string& name, std::span<const std::string> words);

}  // namespace postage
