#pragma once

#include <postage/base/json.hpp>
#include <postage/platform/held_out.hpp>
#include <postage/platform/levels.hpp>
#include <postage/platform/network.hpp>
#include <postage/platform/parameters.hpp>
#include <postage/platform/shm_thresholds.hpp>
#include <postage/platform/topology.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Where the measured ranks ran.
struct RankPlacement {
  int node = 0;  ///< index into Platform::nodes
  int core = 0;  ///< index into that node's topology
  bool operator==(const RankPlacement&) const = default;
};

struct Node {
  std::string name;
  NodeTopology topology;
  bool operator==(const Node&) const = default;
};

/// What was measured at one size between two ranks or over one channel: the curve behind the parameters.
struct MeasuredPoint {
  int source = 0;
  int target = 0;
  std::string channel;
  Bytes bytes = 0;
  Estimate one_way;  ///< half a roundtrip, seconds: median and its interval
  std::size_t repetitions = 0;
  bool precise = false;  ///< the interval met the precision asked for before the budget ended
  bool operator==(const MeasuredPoint&) const = default;
};

/// A machine as postage knows it: where ranks ran, which channels join them, what was measured and what was estimated.
struct Platform {
  std::string name;
  std::string implementation;  ///< "Open MPI 4.1.4", "SMPI 3.32", ...
  std::string created{};       ///< ISO 8601, or empty where the clock is virtual
  bool is_virtual = false;
  std::vector<std::string> channels{};  ///< index is the ChannelId
  /// Instead of what topologies say, for parameters given by hand; in no file. Their channels are `channels`, in order.
  std::vector<ChannelLevel> levels{};
  std::vector<Node> nodes{};
  std::vector<RankPlacement> ranks{};
  std::vector<ParameterTable> models{};
  std::vector<MeasuredPoint> points{};
  /// What the campaign found of its models' accuracy; empty where it visited no collectives.
  HeldOut held_out{};
  /// Where shared memory was measured.
  std::vector<MeasuredThresholds> shm_protocols{};
  /// What nodes share on their way to one another, where several were measured.
  std::optional<NetworkStructure> network{};
  bool operator==(const Platform&) const = default;
};

/// Version 2 added parameters that are curves and surfaces, and those of single processors; version 3 the network's
/// structure, processors that are alike, and the models' accuracy on held-out collectives; version 4 writes estimates
/// as short lists. Files of earlier versions are read.
inline constexpr int kPlatformVersion = 5;
inline constexpr const char* kPlatformFormat = "postage-platform";

/// Lossless for finite values: platform_from_json(to_json(p)) == p, bit for bit; infinite bounds become null. The
/// schema is share/platform.schema.json.
[[nodiscard]] Json to_json(const Platform& platform);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] Platform platform_from_json(const Json& value, const std::filesystem::path& source);

[[nodiscard]] Platform read_platform(const std::filesystem::path& path);
/// Throws Error, and writes nothing, where read_platform would refuse the file.
void write_platform(const std::filesystem::path& path, const Platform& platform);

}  // namespace postage
