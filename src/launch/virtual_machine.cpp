#include <postage/base/files.hpp>
#include <postage/launch/virtual_machine.hpp>

#include <fmt/format.h>

#include <random>
#include <vector>

namespace postage {
namespace {

constexpr Bytes kRendezvousFrom = Bytes{64} << 10;
constexpr int kNever = 2147483647;

constexpr Seconds kNoiseStep = 50e-6;
constexpr int kNoiseSteps = 400;

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

/// Values at moments kNoiseStep apart, over and over.
std::string profile(double value, double change, std::mt19937_64& random) {
  std::string text = fmt::format("PERIODICITY {}\n", kNoiseSteps * kNoiseStep);
  for (int i = 0; i < kNoiseSteps; ++i) {
    const double u = static_cast<double>(random() >> 11U) * 0x1p-53;
    text += fmt::format("{} {}\n", i * kNoiseStep, value * (1 + change * u));
  }
  return text;
}

/// A card's two links; noisy ones with the files that say how they vary, which SimGrid looks for beside the platform.
class CardWriter {
 public:
  CardWriter(const VirtualMachine& machine, const std::filesystem::path& folder)
      : machine_(machine), folder_(folder), random_(20090601) {}

  std::string link(const std::string& id) {
    std::string varying;
    if (machine_.noise > 0) {
      const std::filesystem::path bandwidth = folder_ / (id + ".bandwidth");
      const std::filesystem::path latency = folder_ / (id + ".latency");
      write_file(bandwidth, profile(machine_.card_bandwidth, -machine_.noise, random_));
      write_file(latency, profile(machine_.card_latency, machine_.noise, random_));
      varying = fmt::format(" bandwidth_file=\"{}\" latency_file=\"{}\"", bandwidth.filename().string(),
                            latency.filename().string());
    }
    return fmt::format("<link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}s\"{}/>\n", id, machine_.card_bandwidth,
                       machine_.card_latency, varying);
  }

 private:
  const VirtualMachine& machine_;
  const std::filesystem::path& folder_;
  std::mt19937_64 random_;
};

std::string host_xml(const VirtualMachine& machine, int node) {
  const std::string cost = fmt::format("0:{}:{}", machine.overhead, machine.per_byte);
  return fmt::format(
      "<host id=\"n{}\" speed=\"1Gf\" core=\"{}\"><prop id=\"smpi/os\" value=\"{}\"/><prop id=\"smpi/ois\" "
      "value=\"{}\"/><prop id=\"smpi/or\" value=\"{}\"/></host>\n",
      node, machine.per_node, cost, cost, cost);
}

std::string memory_xml(const VirtualMachine& machine, int node) {
  return fmt::format("<link id=\"n{}_mem\" bandwidth=\"{}Bps\" latency=\"{}s\"/>\n", node, machine.memory_bandwidth,
                     machine.memory_latency);
}

std::string platform_xml(const VirtualMachine& machine, int nodes, const std::filesystem::path& folder) {
  std::string hosts;
  std::string links;
  std::string attached;
  std::string routes;
  CardWriter cards(machine, folder);
  for (int node = 0; node < nodes; ++node) {
    hosts += host_xml(machine, node);
    links += cards.link(fmt::format("n{}_up", node)) + cards.link(fmt::format("n{}_down", node));
    attached += fmt::format("<host_link id=\"n{0}\" up=\"n{0}_up\" down=\"n{0}_down\"/>\n", node);
    if (machine.memory_bandwidth > 0) {
      links += memory_xml(machine, node);
      routes += fmt::format("<route src=\"n{0}\" dst=\"n{0}\"><link_ctn id=\"n{0}_mem\"/></route>\n", node);
    }
  }
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><zone id=\"world\" routing=\"Cluster\">\n" +
         hosts + links + attached + routes + "</zone></platform>\n";
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

std::span<const VirtualMachine> virtual_machines() {
  static const std::vector<VirtualMachine> machines = make_machines();
  return machines;
}

VirtualClusterFiles write_virtual_machine(const VirtualMachine& machine, int nodes, Placement placement,
                                          const std::filesystem::path& folder) {
  VirtualClusterFiles files{folder / (machine.name + ".xml"), folder / (machine.name + ".hosts"),
                            arguments_of(machine.protocol)};
  if (machine.noise > 0) {
    // SimGrid's lazy updates lose a message whose link's latency changes while it waits for it, and report a deadlock.
    files.smpi_arguments.emplace_back("--cfg=network/optim:Full");
  }
  write_file(files.platform, platform_xml(machine, nodes, folder));
  write_file(files.hostfile, host_list(machine, nodes, placement));
  return files;
}

}  // namespace postage
