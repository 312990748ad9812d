#pragma once

// Machines whose every transfer is known, and their parameters beside the estimated ones.
#include "unit/estimate/known_platform.hpp"
#include "unit/estimate/synthetic.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/model/cell_plogp.hpp>
#include <postage/model/tau_lop.hpp>
#include <postage/model/two_log.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace postage {

inline const std::vector<Bytes> kEveryEighth{1, 8, 64, 512, 4096, 32768, 262144};

inline const char* const kLevels =
    "[shared-cache] o_mw=0:1us;16K:9us;1M:500us,l_mw=0/8:0;16K/8:5us;0/64:0;16K/64:9us;0/512:0;16K/512:14us "
    "[inter-node] o_mw=0:3us;16K:19us;1M:900us,l_mw=0/8:0;16K/8:8us;0/64:0;16K/64:13us;0/512:0;16K/512:33us,"
    "o_net=0:20us;16K:150us;1M:9ms";

inline SyntheticPlan strided_plan() {
  return {.roundtrips = powers_of_two(), .overheads = {1, 1024, 4096, 16384, 1 << 20}, .strided = {1024, 4096, 16384}};
}

/// Nothing here is a multiple of anything: between perfectly parallel and serial, and different at each tau.
inline const char* const kNonlinear =
    "[shared-cache] o=1us,L=1/1:0;32K/1:5us;1M/1:300us;1/2:0.1us;32K/2:6us;1M/2:420us;"
    "1/4:0.4us;32K/4:11us;1M/4:700us;1/8:1us;32K/8:31us;1M/8:2ms,n=2 "
    "[inter-node] o=12us,L=1/1:0;32K/1:30us;1M/1:1100us;1/2:1us;32K/2:34us;1M/2:1900us;"
    "1/4:2us;32K/4:80us;1M/4:5ms;1/8:5us;32K/8:260us;1M/8:12ms,n=1,n@shared-cache=2";

inline SyntheticPlan shared_plan() {
  return {.roundtrips = powers_of_two(), .concurrent = {1, 8, 64, 512, 4096, 32768, 262144, 1 << 20}};
}

inline Platform estimate(const SyntheticMachine& machine, const SyntheticPlan& plan) {
  return estimate_platform(measure(machine, plan), machine.model);
}

inline const ParameterTable& fitted_table(const Platform& platform, const std::string& model) {
  for (const ParameterTable& table : platform.models) {
    if (table.model == model) {
      return table;
    }
  }
  throw std::runtime_error("no " + model);
}

/// Truth and what was estimated, side by side.
struct Compared {
  double truth = 0;
  Estimate found;
};

inline void compare(const CostCurve& truth, const ParameterCurve& found, std::vector<Compared>& all) {
  for (const ParameterPoint& point : found) {
    all.push_back({truth.at(static_cast<double>(point.bytes)), point.estimate});
  }
}

inline void compare(const CostSurface& truth, const ParameterSurface& found, std::vector<Compared>& all) {
  for (const ParameterRow& row : found) {
    for (const ParameterPoint& point : row.curve) {
      all.push_back({truth.at(static_cast<double>(point.bytes), row.at), point.estimate});
    }
  }
}

inline void expect_close(const std::vector<Compared>& all, double least) {
  for (const Compared& one : all) {
    EXPECT_NEAR(one.found.value, one.truth, kOnePercent * std::max(one.truth, least));
  }
}

inline std::vector<Compared> compare_levels(const SyntheticMachine& machine, const Platform& platform) {
  const auto truth = *machine.truth().target<TwoLog>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < 2; ++channel) {
    const MiddlewareLevel& level = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "2log23p", machine.channels()[channel]);
    compare(level.overhead, group.curves.at("o_mw"), all);
    compare(*level.latency, group.surfaces.at("l_mw"), all);
    if (channel == 1) {
      compare(level.network, group.curves.at("o_net"), all);
    } else {
      EXPECT_FALSE(group.curves.contains("o_net")) << "nothing within a node";
    }
  }
  return all;
}

inline std::vector<Compared> compare_transfers(const SyntheticMachine& machine, const Platform& platform) {
  const auto truth = *machine.truth().target<TauLop>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < machine.channels().size(); ++channel) {
    const TauLopLink& link = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "taulop", machine.channels()[channel]);
    EXPECT_EQ(group.values.at("n").value, link.transfers);
    compare(link.overhead, group.curves.at("o"), all);
    compare(link.transfer, group.surfaces.at("L"), all);
  }
  return all;
}

inline const char* const kCell =
    "[shared-cache] L=16:1us;1M:100us,g=16:0.5us;1M:70us,C=1/2:0;1M/2:0;1/4:0.1us;1M/4:20us;1/8:0.7us;1M/8:90us,"
    "g_ack=0.5us,m_C=0 "
    "[inter-node] L=16:20us;1M:9ms,g=16:4us;1M:8ms,C=1/2:0;1M/2:0;1/4:1us;1M/4:1ms;1/8:2us;1M/8:5ms;1/16:5us;"
    "1M/16:19ms,g_ack=4us,m_C=0";

inline SyntheticPlan fan_plan() {
  return {.roundtrips = powers_of_two(), .overheads = {1, 1024}, .fans = kEveryEighth};
}

inline std::vector<Compared> compare_cell(const SyntheticMachine& machine, const Platform& platform) {
  // g_ack counts at the upper end of a prediction.
  const auto truth = *machine.truth(Bound::kUpper).target<CellPLogP>();
  std::vector<Compared> all;
  for (ChannelId channel = 0; channel < machine.channels().size(); ++channel) {
    const CellPLogPLink& link = truth.links.at({.channel = channel});
    const ParameterGroup& group = group_for(platform, "plogp-cell", machine.channels()[channel]);
    compare(link.latency, group.curves.at("L"), all);
    compare(link.gap, group.curves.at("g"), all);
    compare(link.contention, group.surfaces.at("C"), all);
    all.push_back({link.gap_of_ack, group.values.at("g_ack")});
  }
  return all;
}

}  // namespace postage
