#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace postage {
namespace {

constexpr Bytes kMegabyte = 1'000'000;
constexpr Seconds kAlone = 1e-3;  ///< of a megabyte at 1 GB/s

FlowLink link_with_latency(Seconds latency) {
  FlowLink link;
  link.latency = latency;
  link.seconds_per_byte = 1e-9;
  return link;
}

/// Two groups of two hosts, joined by links of the bandwidth of one host.
ChannelMap two_groups() {
  NetworkStructure network;
  network.levels = {{GroupJunction::kSwitch, 1, Estimate::exactly(1e9)}};
  network.groups = {{"left", 0, -1, {0, 1}}, {"right", 0, -1, {2, 3}}};
  Platform platform{.name = "dumbbell", .implementation = "none", .channels = {kInterNode}};
  for (int host = 0; host < 4; ++host) {
    platform.nodes.push_back({"h", {{Core{}}}});
    platform.ranks.push_back({host, 0});
  }
  platform.network = network;
  return {platform, Mapping::explicit_placements(platform.ranks)};
}

std::vector<Seconds> ends_of(const std::vector<StartedMessage>& messages, const Flow& model) {
  return play_messages(messages, 4, two_groups(), model).finish;
}

TEST(FlowsOnANetwork, ShareTheLinksOnTheirRoutes) {
  Flow model;
  model.links.set_channel(0, {{0, link_with_latency(0)}});
  const std::vector<Seconds> across = ends_of({{0, 2, kMegabyte}, {1, 3, kMegabyte}}, model);
  EXPECT_NEAR(across[2], 2 * kAlone, 1e-9);
  EXPECT_NEAR(across[3], 2 * kAlone, 1e-9);
  const std::vector<Seconds> opposite = ends_of({{0, 2, kMegabyte}, {3, 1, kMegabyte}}, model);
  EXPECT_NEAR(opposite[2], kAlone, 1e-9) << "a link for each direction";
  const std::vector<Seconds> inside = ends_of({{0, 1, kMegabyte}, {2, 3, kMegabyte}}, model);
  EXPECT_NEAR(inside[3], kAlone, 1e-9);
}

/// L = 200 us has the 100 us of an envelope of 100 kB, of which two messages share a link of 1 GB/s like their own
/// bytes.
TEST(FlowsOnANetwork, ShareWhatItAddsToEachMessage) {
  Flow model{.envelope = 100'000};
  model.links.set_channel(0, {{0, link_with_latency(200e-6)}});
  EXPECT_NEAR(ends_of({{0, 2, kMegabyte}}, model)[2], 200e-6 + kAlone, 1e-9) << "alone, L has it";
  EXPECT_NEAR(ends_of({{0, 2, kMegabyte}, {1, 3, kMegabyte}}, model)[2], 100e-6 + 2 * 1.1 * kAlone, 1e-9);
  EXPECT_NEAR(ends_of({{0, 2, 0}, {1, 3, 0}}, model)[3], 100e-6 + 2 * 100e-6, 1e-9) << "empty messages have one, too";
  model.links.set_channel(0, {{0, link_with_latency(50e-6)}});
  EXPECT_NEAR(ends_of({{0, 2, kMegabyte}, {1, 3, kMegabyte}}, model)[2], 2 * 1.05 * kAlone, 1e-9)
      << "no more of it than L has room for";
}

/// Three parts of the link's rate for the near one, one for the far one, which then has all of it.
TEST(FlowsOnANetwork, CompeteByTheirLatencies) {
  Flow model{.share_exponent = 1};
  model.links.set_channel(0, {{0, link_with_latency(1e-9)}});
  model.links.set_pair(1, 3, {{0, link_with_latency(3e-9)}});
  const std::vector<Seconds> ends = ends_of({{0, 2, kMegabyte}, {1, 3, kMegabyte}}, model);
  EXPECT_NEAR(ends[2], kAlone * 4 / 3, 1e-7);
  EXPECT_NEAR(ends[3], kAlone * 2, 1e-7);
}

/// W = 500 B times 1 ns/B of two links, out of a group and into the other, is 1 us: the shares are 1/(1 + 1 us) and
/// 1/(3 + 1 us), two to one.
TEST(FlowsOnANetwork, CompeteByTheirBandwidthsToo) {
  Flow model{.share_exponent = 1, .share_bytes = 500};
  model.links.set_channel(0, {{0, link_with_latency(1e-6)}});
  model.links.set_pair(1, 3, {{0, link_with_latency(3e-6)}});
  const std::vector<Seconds> ends = ends_of({{0, 2, kMegabyte}, {1, 3, kMegabyte}}, model);
  EXPECT_NEAR(ends[2], kAlone * 3 / 2, 2e-6);
  EXPECT_NEAR(ends[3], kAlone * 2, 4e-6);
}

/// Messages whose bytes occupy the link for half as long share twice its bandwidth: each may then go as fast as alone.
TEST(FlowsOnANetwork, OccupyLinksByTheirSize) {
  FlowLink half = link_with_latency(0);
  half.occupancy = 0.5;
  FlowLink twice = link_with_latency(0);
  twice.occupancy = 2;
  Flow model;
  model.links.set_channel(0, {{0, twice}, {kMegabyte, half}});
  EXPECT_NEAR(ends_of({{0, 2, kMegabyte}, {1, 3, kMegabyte}}, model)[2], kAlone, 1e-9);
  EXPECT_NEAR(ends_of({{0, 2, kMegabyte - 1}, {1, 3, kMegabyte - 1}}, model)[2], 4 * kAlone, 1e-8);
}

}  // namespace
}  // namespace postage
