#include "launch/noisy_platform.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/virtual_machine.hpp>

#include <fmt/format.h>

#include <vector>

namespace postage {
namespace {

constexpr Bytes kRendezvousFrom = Bytes{64} << 10;
constexpr int kNever = 2147483647;

std::vector<VirtualMachine> make_machines() {
  return {{.name = "multi4x8",
           .title = "4 nodes of 8 cores, all eager",
           .nodes = 4,
           .per_node = 8,
           .calibration_nodes = 2,
           .card_bandwidth = 1.25e9,
           .card_latency = 2e-6,
           .memory_bandwidth = 5e9,
           .memory_latency = 0.3e-6,
           .overhead = 0.4e-6},
          {.name = "multi8x8",
           .title = "8 nodes of 8 cores, rendezvous from 64 KiB on",
           .nodes = 8,
           .per_node = 8,
           .calibration_nodes = 2,
           .card_bandwidth = 3e9,
           .card_latency = 1.1e-6,
           .memory_bandwidth = 8e9,
           .memory_latency = 0.2e-6,
           .overhead = 0.25e-6,
           .per_byte = 1e-11,
           .protocol = VirtualProtocol::kEagerRendezvous},
          {.name = "smpi16",
           .title = "16 nodes, SMPI's default model",
           .nodes = 16,
           .calibration_nodes = 4,
           .card_bandwidth = 1.25e9,
           .card_latency = 5e-6,
           .protocol = VirtualProtocol::kDefault},
          {.name = "noisy16",
           .title = "16 nodes, bandwidths and latencies that vary by 10 %",
           .nodes = 16,
           .calibration_nodes = 4,
           .card_bandwidth = 1.25e9,
           .card_latency = 5e-6,
           .overhead = 1e-6,
           .noise = 0.1},
          {.name = "cluster64",
           .title = "64 nodes, rendezvous from 64 KiB on",
           .nodes = 64,
           .calibration_nodes = 4,
           .card_bandwidth = 1.25e9,
           .card_latency = 5e-6,
           .overhead = 1e-6,
           .per_byte = 5e-11,
           .protocol = VirtualProtocol::kEagerRendezvous},
          {.name = "cluster256",
           .title = "256 nodes, all eager",
           .nodes = 256,
           .calibration_nodes = 4,
           .card_bandwidth = 2.5e9,
           .card_latency = 2e-6,
           .overhead = 0.6e-6}};
}

std::vector<std::string> arguments_of(VirtualProtocol protocol) {
  const auto thresholds = [](int bytes) {
    return std::vector{fmt::format("--cfg=smpi/send-is-detached-thresh:{}", bytes),
                       fmt::format("--cfg=smpi/async-small-thresh:{}", bytes)};
  };
  switch (protocol) {
    case VirtualProtocol::kEagerRendezvous:
      return thresholds(kRendezvousFrom);
    case VirtualProtocol::kDefault:
      return {"--cfg=network/model:SMPI", "--cfg=network/crosstraffic:1", "--cfg=network/TCP-gamma:4194304",
              "--cfg=network/weight-S:20537"};
    case VirtualProtocol::kEager:
      break;
  }
  return thresholds(kNever);
}

std::string card_xml(const VirtualMachine& machine, const std::string& id) {
  return fmt::format("<link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", id, machine.card_bandwidth,
                     machine.card_latency);
}

std::string host_xml(const VirtualMachine& machine, int node) {
  const std::string cost = fmt::format("0:{}:{}", machine.overhead, machine.per_byte);
  const std::string middleware =
      machine.middleware.empty() ? ""
                                 : fmt::format("<prop id=\"postage/middleware\" value=\"{}\"/>", machine.middleware);
  return fmt::format(
      "<host id=\"n{}\" speed=\"1Gf\" core=\"{}\"><prop id=\"smpi/os\" value=\"{}\"/><prop id=\"smpi/ois\" "
      "value=\"{}\"/><prop id=\"smpi/or\" value=\"{}\"/>{}</host>\n",
      node, machine.per_node, cost, cost, cost, middleware);
}

std::string memory_xml(const VirtualMachine& machine, int node) {
  return fmt::format("<link id=\"n{}_mem\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", node, machine.memory_bandwidth,
                     machine.memory_latency);
}

std::string platform_xml(const VirtualMachine& machine, int nodes) {
  std::string hosts;
  std::string links;
  std::string attached;
  std::string routes;
  const std::string noise = machine.noise > 0 ? fmt::format("<prop id=\"noise\" value=\"{}\"/>\n", machine.noise) : "";
  for (int node = 0; node < nodes; ++node) {
    hosts += host_xml(machine, node);
    links += card_xml(machine, fmt::format("n{}_up", node)) + card_xml(machine, fmt::format("n{}_down", node));
    attached += fmt::format("<host_link id=\"n{0}\" up=\"n{0}_up\" down=\"n{0}_down\"/>\n", node);
    if (machine.memory_bandwidth > 0) {
      links += memory_xml(machine, node);
      routes += fmt::format("<route src=\"n{0}\" dst=\"n{0}\"><link_ctn id=\"n{0}_mem\"/></route>\n", node);
    }
  }
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><zone id=\"world\" routing=\"Cluster\">\n" +
         noise + hosts + links + attached + routes + "</zone></platform>\n";
}

std::string host_list(const VirtualMachine& machine, int nodes, Placement placement) {
  std::string hosts;
  for (int rank = 0; rank < nodes * machine.per_node; ++rank) {
    hosts += fmt::format("n{}\n", placement == Placement::kBlock ? rank / machine.per_node : rank % nodes);
  }
  return hosts;
}

}  // namespace

std::string_view name_of(Placement placement) {
  return placement == Placement::kBlock ? "block" : "cyclic";
}

std::filesystem::path with_noise(std::filesystem::path platform) {
  const std::filesystem::path library = find_built("libpostage-noise.so");
  if (library.empty()) {
    throw Error("libpostage-noise.so is not beside postage or in its libexec folder; run make build");
  }
  platform.replace_extension(".so");
  std::filesystem::remove(platform);
  std::filesystem::create_symlink(std::filesystem::absolute(library), platform);
  return platform;
}

std::span<const VirtualMachine> virtual_machines() {
  static const std::vector<VirtualMachine> machines = make_machines();
  return machines;
}

VirtualClusterFiles write_virtual_machine(const VirtualMachine& machine, int nodes, Placement placement,
                                          const std::filesystem::path& folder) {
  VirtualClusterFiles files{folder / (machine.name + ".xml"), folder / (machine.name + ".hosts"),
                            arguments_of(machine.protocol)};
  write_file(files.platform, platform_xml(machine, nodes));
  if (machine.noise > 0) {
    files.platform = with_noise(files.platform);
  }
  write_file(files.hostfile, host_list(machine, nodes, placement));
  return files;
}

}  // namespace postage
