#pragma once

#include <postage/platform/platform.hpp>

#include <string>
#include <vector>

namespace postage {

/// Nodes and ranks on each that an export is for.
struct ExportedJob {
  int nodes = 2;
  int per_node = 1;
};

/// A platform for SimGrid's SMPI, and what one should know of it.
struct SmpiExport {
  std::string platform;  ///< XML
  std::string hosts;     ///< a hostfile, ranks in blocks
  std::vector<std::string> remarks{};
};

/// A cluster on which SMPI's messages between nodes take alpha + beta*m of the platform's Hockney parameters, by
/// message size (smpi/lat-factor and smpi/bw-factor). SMPI has these factors once for all links: inside a node latency
/// and bandwidth are those that fit best with the factors of the network, and a remark says how well. A platform of one
/// node gives the factors of its farthest level. Throws Error where the platform has no Hockney parameters of a channel
/// that the job needs.
[[nodiscard]] SmpiExport smpi_export(const Platform& platform, const ExportedJob& job);

/// The words after "LogGOPSim -f FILE": L, o, g, G, O and S in nanoseconds and bytes.
struct LogGopsExport {
  std::string options;
  std::vector<std::string> remarks{};
};

/// LogGOPSim (T. Hoefler, T. Schneider, A. Lumsdaine, HPDC 2010) has one set of parameters for all levels and sizes:
/// those of the network's small messages, and G of its large ones; of LogGPS, else LogGP, else Hockney, where o and g
/// are 0. A remark says how far they are from the platform's own. Throws Error where the platform has none of these
/// models.
[[nodiscard]] LogGopsExport loggops_export(const Platform& platform);

}  // namespace postage
