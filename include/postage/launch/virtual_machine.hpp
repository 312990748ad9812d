#pragma once

#include <postage/launch/virtual_cluster.hpp>

#include <span>
#include <string>
#include <string_view>

namespace postage {

/// In which order ranks take a machine's nodes.
enum class Placement { kBlock, kCyclic };

[[nodiscard]] std::string_view name_of(Placement placement);

/// How messages are passed on a simulated machine.
enum class VirtualProtocol {
  kEager,            ///< every message leaves at once, whether it is awaited or not
  kEagerRendezvous,  ///< from 64 KiB on both ends wait for each other, and the sender until the message has arrived
  kDefault,          ///< as SMPI does by itself: its factors by size, TCP's acknowledgements, rendezvous from 64 KiB on
};

/// A simulated machine of nodes that share something: ranks their node's memory and network card.
///
///   rank - rank    the node's memory link, one for all and both directions
///   node - node    the card's link out, the other's link in
struct VirtualMachine {
  std::string name;
  std::string title;
  int nodes = 1;
  int per_node = 1;
  /// Nodes that are enough to calibrate: the others are like them.
  int calibration_nodes = 1;
  double card_bandwidth = 0;    ///< B/s, each direction
  Seconds card_latency = 0;     ///< of each of the two cards on a message's way
  double memory_bandwidth = 0;  ///< B/s, shared by all of a node
  Seconds memory_latency = 0;
  Seconds overhead = 0;  ///< of sending and of receiving
  double per_byte = 0;   ///< what they take more for each byte
  /// What one end of a message takes its processor, by where the other end is and by stride, beside `overhead`: see
  /// transport/mpi/middleware.hpp. Empty for nothing but packing at an operation for each piece and each 8 bytes.
  std::string middleware{};
  VirtualProtocol protocol = VirtualProtocol::kEager;
  /// Each message's latency is multiplied by 1 + noise*e, its bandwidth divided by as much with another e, exponential
  /// with mean 1, from a fixed seed.
  double noise = 0;
};

/// Those of the accuracy suite: see docs/accuracy.md.
[[nodiscard]] std::span<const VirtualMachine> virtual_machines();

/// Files for smpirun, with an entry in the host file for each of `nodes` * per_node ranks. Writes them into `folder`.
/// Throws Error for a machine with noise where the library that makes it was not built.
[[nodiscard]] VirtualClusterFiles write_virtual_machine(const VirtualMachine& machine, int nodes, Placement placement,
                                                        const std::filesystem::path& folder);

}  // namespace postage
