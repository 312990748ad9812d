#pragma once

#include <postage/launch/lab_plan.hpp>

namespace postage {

// What a lab's network is made of, as text: names, addresses, and batches of commands for ip and tc.

/// Interface of every host.
inline constexpr const char* kLabInterface = "v0";

/// All namespaces of a lab begin like this, and those of no other: names hold no '-'.
[[nodiscard]] std::string namespace_prefix(const std::string& lab);
[[nodiscard]] std::string switch_namespace(const std::string& lab);
[[nodiscard]] std::string host_namespace(const std::string& lab, std::size_t host);
[[nodiscard]] std::string host_name(std::size_t host);
inline constexpr const char* kSwitchPrefix = "s";
[[nodiscard]] std::string switch_name(std::size_t number);
/// The number of a host by its name. Throws UsageError listing them.
[[nodiscard]] std::size_t host_number(const LabPlan& plan, const std::string& name);

[[nodiscard]] std::string host_address(std::size_t host);
[[nodiscard]] std::string hardware_address(std::size_t host);
/// /etc/hosts on every host.
[[nodiscard]] std::string hosts_file(const LabPlan& plan);

/// For ip in the switches' namespace: a bridge for each switch with a cable (veth) to every host, and, for several, one
/// more with a cable to every switch.
[[nodiscard]] std::string bridge_batch(const LabPlan& plan);
/// For ip in a host's namespace: its interface with fixed neighbours, so that no request for an address is measured.
[[nodiscard]] std::string host_batch(const LabPlan& plan, std::size_t host);
/// For tc in a host's namespace and in the switches': a token bucket for each direction of a cable; empty where nothing
/// is limited.
[[nodiscard]] std::string host_shaping(const LabPlan& plan, std::size_t host);
[[nodiscard]] std::string bridge_shaping(const LabPlan& plan);

}  // namespace postage
