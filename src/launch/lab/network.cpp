#include "launch/lab/network.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr const char* kCore = "core";
constexpr Bytes kEthernetHeader = 14;
/// What a bucket holds: rates keep within 1 % while the kernel wakes up late by this.
constexpr Seconds kBucket = 600e-6;
/// A sender waits for its own cable and drops nothing.
constexpr Bytes kSenderQueue = 16 << 20;

std::string port_name(std::size_t host) {
  return fmt::format("p{}", host);
}

/// Ends of a switch's cable to the core: at the switch and at the core.
std::string upper_port(std::size_t number) {
  return fmt::format("u{}", number);
}

std::string lower_port(std::size_t number) {
  return fmt::format("d{}", number);
}

std::string shaping(const std::string& device, const LabCable& cable, int mtu, Bytes queue) {
  if (cable.rate == 0) {
    return "";
  }
  const Bytes frame = mtu + kEthernetHeader;
  const Bytes bucket = std::max(static_cast<Bytes>(std::ceil(cable.rate * kBucket)), 2 * frame);
  return fmt::format("qdisc add dev {} root tbf rate {:.0f}bit burst {} limit {}\n", device, cable.rate * 8, bucket,
                     std::max(queue, bucket));
}

}  // namespace

std::string namespace_prefix(const std::string& lab) {
  return fmt::format("postage-{}-", lab);
}

std::string switch_namespace(const std::string& lab) {
  return namespace_prefix(lab) + "switch";
}

std::string host_namespace(const std::string& lab, std::size_t host) {
  return namespace_prefix(lab) + host_name(host);
}

std::string host_name(std::size_t host) {
  return fmt::format("h{}", host);
}

std::string switch_name(std::size_t number) {
  return fmt::format("{}{}", kSwitchPrefix, number);
}

std::size_t host_number(const LabPlan& plan, const std::string& name) {
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    if (host_name(i) == name) {
      return i;
    }
  }
  throw UsageError(unknown_name("host", name, fmt::format("h0 to {}", host_name(plan.hosts.size() - 1))));
}

std::string host_address(std::size_t host) {
  return fmt::format("10.77.0.{}", host + 1);
}

std::string hardware_address(std::size_t host) {
  return fmt::format("02:00:00:00:00:{:02x}", host);
}

std::string hosts_file(const LabPlan& plan) {
  std::string text = "127.0.0.1 localhost\n";
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    text += fmt::format("{} {}\n", host_address(i), host_name(i));
  }
  return text;
}

namespace {

std::string make_bridge(const std::string& name, int mtu) {
  return fmt::format(
      "link add name {0} type bridge mcast_snooping 0\n"
      "link set dev {0} mtu {1} addrgenmode none up\n",
      name, mtu);
}

std::string connect_to_core(std::size_t number, int mtu) {
  return fmt::format(
      "link add name {0} mtu {2} type veth peer name {1} mtu {2}\n"
      "link set dev {0} addrgenmode none master {3} up\n"
      "link set dev {1} addrgenmode none master {4} up\n",
      upper_port(number), lower_port(number), mtu, switch_name(number), kCore);
}

}  // namespace

std::string bridge_batch(const LabPlan& plan) {
  std::string batch = plan.uplinks.empty() ? "" : make_bridge(kCore, plan.mtu);
  for (std::size_t i = 0; i < plan.switches(); ++i) {
    batch += make_bridge(switch_name(i), plan.mtu);
  }
  for (std::size_t i = 0; i < plan.uplinks.size(); ++i) {
    batch += connect_to_core(i, plan.mtu);
  }
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    batch += fmt::format(
        "link add name {0} mtu {1} type veth peer name {2} netns {3}\n"
        "link set dev {0} addrgenmode none master {4} up\n",
        port_name(i), plan.mtu, kLabInterface, host_namespace(plan.name, i), switch_name(plan.switch_of(i)));
  }
  return batch;
}

std::string host_batch(const LabPlan& plan, std::size_t host) {
  // The queue holds what TCP has under way while the switch is busy. Offloads stay on: cutting segments one by one
  // before a bucket costs most of the rate from 500 Mbit/s on.
  std::string batch = fmt::format(
      "link set dev lo up\n"
      "link set dev {0} address {1} mtu {2} txqueuelen 10000 addrgenmode none up\n"
      "addr add {3}/24 dev {0}\n",
      kLabInterface, hardware_address(host), plan.mtu, host_address(host));
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    if (i != host) {
      batch += fmt::format("neigh add {} lladdr {} dev {} nud permanent\n", host_address(i), hardware_address(i),
                           kLabInterface);
    }
  }
  return batch;
}

std::string host_shaping(const LabPlan& plan, std::size_t host) {
  return shaping(kLabInterface, plan.hosts[host], plan.mtu, kSenderQueue);
}

std::string bridge_shaping(const LabPlan& plan) {
  std::string batch;
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    batch += shaping(port_name(i), plan.hosts[i], plan.mtu, plan.queue);
  }
  for (std::size_t i = 0; i < plan.uplinks.size(); ++i) {
    batch += shaping(upper_port(i), plan.uplinks[i], plan.mtu, plan.queue);
    batch += shaping(lower_port(i), plan.uplinks[i], plan.mtu, plan.queue);
  }
  return batch;
}

}  // namespace postage
