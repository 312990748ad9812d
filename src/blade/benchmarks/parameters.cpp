#include "blade/benchmarks/parameters.hpp"

#include "blade/benchmarks/cluster_benchmarks.hpp"
#include "blade/benchmarks/gaps.hpp"

#include <postage/platform/topology.hpp>

#include <fmt/format.h>
#include <simgrid/version.h>

#include <algorithm>
#include <utility>

namespace postage::blade {
namespace {

constexpr int kSpesOfChip = CellHardware::kSpesOfChip;
constexpr int kSpesOfBlade = CellHardware::kSpesOfBlade;
constexpr Bytes kSmallest = 16;  ///< "1" in the paper
constexpr Bytes kLargestGap = 32 * 1024;

/// Powers of two from the smallest DMA transfer on.
std::vector<Bytes> data_sizes(Bytes largest) {
  std::vector<Bytes> sizes;
  for (Bytes size = kSmallest; size <= largest; size *= 2) {
    sizes.push_back(size);
  }
  return sizes;
}

/// One channel's measurements.
class ChannelParameters {
 public:
  ChannelParameters(Machine& machine, int spes, GapMethod method, std::vector<int> peers)
      : machine_(machine), others_(spes_between(1, spes - 1)), method_(method), peers_(std::move(peers)) {}

  [[nodiscard]] ParameterGroup group(const std::string& channel) const {
    ParameterGroup group{.scope = {.channel = channel}};
    group.curves["L"] = latencies();
    group.curves["g"] = gaps();
    group.values["L_ack"] = exactly(mean_ack_latency(machine_, peers_));
    group.values["g_ack"] = exactly(gap_of_acks(machine_, peers_));
    return group;
  }

  /// C(m, n), n = 2, 4, ..., 16.
  [[nodiscard]] ParameterSurface congestions() const {
    ParameterSurface surface;
    for (int messages = 2; messages <= kSpesOfBlade; messages += 2) {
      ParameterCurve curve;
      for (const Bytes bytes : data_sizes(half_of_store())) {
        curve.push_back({bytes, exactly(congestion(machine_, messages, bytes))});
      }
      surface.push_back({static_cast<double>(messages), std::move(curve)});
    }
    return surface;
  }

 private:
  [[nodiscard]] Estimate exactly(Cycles cycles) const { return Estimate::exactly(machine_.hardware().seconds(cycles)); }

  /// A sender's and a receiver's data lie in one local store.
  [[nodiscard]] Bytes half_of_store() const { return machine_.hardware().local_store / 2; }

  [[nodiscard]] ParameterCurve latencies() const {
    ParameterCurve curve;
    for (const Bytes bytes : data_sizes(half_of_store())) {
      curve.push_back({bytes, exactly(mean_data_latency(machine_, peers_, bytes))});
    }
    return curve;
  }

  [[nodiscard]] Cycles gap(Bytes bytes) const {
    return method_ == GapMethod::kKielmann ? gap_by_roundtrips(machine_, peers_.front(), bytes)
                                           : gap_of_gets(machine_, others_, peers_, bytes);
  }

  [[nodiscard]] ParameterCurve gaps() const {
    ParameterCurve curve;
    for (const Bytes bytes : data_sizes(kLargestGap)) {
      curve.push_back({bytes, exactly(gap(bytes))});
    }
    return curve;
  }

  Machine& machine_;
  std::vector<int> others_;
  GapMethod method_;
  std::vector<int> peers_;
};

/// Its slope: what is left of a combination beside its start.
ParameterGroup combining(Machine& machine) {
  constexpr Bytes kShort = 16 * 1024;
  constexpr Bytes kLong = 32 * 1024;
  const Cycles per_byte = (combination(machine, kLong) - combination(machine, kShort)) / (kLong - kShort);
  ParameterGroup group{.scope = {.channel = kAllChannels}};
  group.values["gamma"] = Estimate::exactly(machine.hardware().seconds(per_byte));
  return group;
}

void add_chips(Platform& platform, int chips) {
  for (int chip = 0; chip < chips; ++chip) {
    Node& node = platform.nodes.emplace_back(Node{fmt::format("chip{}", chip), {}});
    for (int spe = 0; spe < kSpesOfChip; ++spe) {
      node.topology.cores.push_back({.pu = spe, .socket = 0, .numa = 0, .cache = spe});
      platform.ranks.push_back({chip, spe});
    }
  }
}

/// Of the second chip, and across.
ParameterGroup across_chips(Machine& machine, GapMethod method) {
  const ChannelParameters across(machine, kSpesOfBlade, method, spes_between(kSpesOfChip, kSpesOfBlade - 1));
  ParameterGroup group = across.group(kInterNode);
  if (method == GapMethod::kGetsFromRoot) {
    group.surfaces["C"] = across.congestions();
  }
  return group;
}

}  // namespace

Platform measure_parameters(Machine& machine, Extent extent, GapMethod method) {
  const int chips = extent == Extent::kChip ? 1 : CellHardware::kChips;
  Platform platform{.name = "Cell blade",
                    .implementation = fmt::format("SimGrid {}.{}", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR),
                    .is_virtual = true};
  ParameterTable table{.model = "plogp-cell", .groups = {}};
  const auto add = [&](ParameterGroup group) {
    platform.channels.push_back(group.scope.channel);
    table.groups.push_back(std::move(group));
  };
  add(ChannelParameters(machine, chips * kSpesOfChip, method, spes_between(1, kSpesOfChip - 1)).group(kIntraSocket));
  if (extent != Extent::kChip) {
    add(across_chips(machine, method));
  }
  if (extent == Extent::kCluster) {
    add(host_parameters(machine));
    add(network_parameters(machine));
  }
  table.groups.push_back(combining(machine));
  table.fit = {.smallest = kSmallest, .largest = machine.hardware().local_store / 2};
  platform.models.push_back(std::move(table));
  add_chips(platform, chips);
  return platform;
}

}  // namespace postage::blade
