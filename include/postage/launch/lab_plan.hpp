#pragma once

#include <postage/base/units.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A cable, full duplex: of a host to its switch, or of a switch to the core.
struct LabCable {
  double rate = 0;      ///< bytes of Ethernet frames per second in each direction; 0 does not limit it
  Seconds latency = 0;  ///< a frame takes that of each cable that it crosses
  bool operator==(const LabCable&) const = default;
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
  std::vector<LabCable> hosts;  ///< of the hosts h0, h1, ... to their switches
  /// Of the switches s0, s1, ... to the core, which limits nothing; none where one switch joins all hosts. Two switches
  /// with such cables of one rate are as two switches that one cable joins.
  std::vector<LabCable> uplinks{};
  int mtu = 9000;         ///< bytes of a frame without its Ethernet header
  Bytes queue = 1 << 20;  ///< what a port of a switch keeps for its cable before it drops frames
  LabSwitch joined_by = LabSwitch::kProcess;
  bool operator==(const LabPlan&) const = default;

  [[nodiscard]] std::size_t switches() const { return uplinks.empty() ? 1 : uplinks.size(); }
  /// Hosts in order, as many on each switch as can be: of five on two, h0 to h2 on s0.
  [[nodiscard]] std::size_t switch_of(std::size_t host) const { return host * switches() / hosts.size(); }
};

inline constexpr std::size_t kMostLabHosts = 64;

/// What a user asks for, as typed. Lists hold one value for all, or one for each.
struct LabRequest {
  std::string name = LabPlan{}.name;
  std::size_t hosts = 0;
  std::vector<std::string> rates{};      ///< of the hosts, as 100M
  std::vector<std::string> latencies{};  ///< of the hosts, as 50us
  std::size_t switches = 1;
  std::vector<std::string> uplinks{};           ///< rates of the switches' cables
  std::vector<std::string> uplink_latencies{};  ///< of the switches' cables
  int mtu = LabPlan{}.mtu;
  std::string queue = "1M";
  bool bridge = false;
};

/// Throws UsageError naming the option of postage lab up that is wrong.
[[nodiscard]] LabPlan plan_lab(const LabRequest& request);

/// Slurm's topology.conf of the lab: its switches with their hosts, and the core.
[[nodiscard]] std::string lab_topology_conf(const LabPlan& plan);

/// Reads "100M", "2.5Gbit" or "10kbit": bits per second with decimal prefixes, as networks are sold. In bytes per
/// second. Throws UsageError.
[[nodiscard]] double parse_bit_rate(std::string_view text);
/// The shortest exact form: 12.5e6 -> "100Mbit"; "unlimited" for 0.
[[nodiscard]] std::string format_bit_rate(double bytes_per_second);

}  // namespace postage
