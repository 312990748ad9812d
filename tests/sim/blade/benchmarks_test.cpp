#include "blade/benchmarks/gaps.hpp"
#include "blade/benchmarks/parameters.hpp"
#include "sim/blade/simulated_machine.hpp"

#include <gtest/gtest.h>

namespace postage::blade {
namespace {

constexpr Cycles kAck = 10 + 30 + 100 + 118 + 6 + 2 + 24;  ///< three hops

TEST(MicroBenchmarks, HalfAnAckRoundtripIsAPut) {
  EXPECT_EQ(half_ack_roundtrip(simulated_machine(), 0, 1), kAck);
  // 320 for the command and 160 for the data over the BIF, five hops more, 16 bytes at 6.4 a cycle.
  EXPECT_EQ(half_ack_roundtrip(simulated_machine(), 0, 8), kAck + 480 + 10 + 0.5);
}

TEST(MicroBenchmarks, HalfADataRoundtripIsAnAddressAndAGet) {
  EXPECT_EQ(half_data_roundtrip(simulated_machine(), 0, 1, 4096), kAck + 304 + 31 * 16);
}

TEST(MicroBenchmarks, AGapIsWhatEachFurtherGetAdds) {
  // Six further gets of 32 lines at the port, each line 16 cycles; the mean get ends three of the last seven lines
  // early.
  EXPECT_NEAR(gap_of_gets(simulated_machine(), spes_between(1, 7), spes_between(1, 7), 4096), 32 * 16, 10);
}

TEST(MicroBenchmarks, KielmannsGapHasAWholeGetInIt) {
  // RTT(m) = address + get + acknowledgement, RTT(0) two acknowledgements: the difference is the get. g(0): a put is
  // issued every 10 cycles, of which 16 are queued at a time, for 266 cycles each.
  EXPECT_NEAR(gap_by_roundtrips(simulated_machine(), 1, 4096), 304 + 31 * 16 + 256.0 / 16, 2);
}

TEST(MicroBenchmarks, TwoMessagesDoNotCongestTheBif) {
  // The mean of two, one of whose commands follows the other's on the command bus.
  EXPECT_EQ(butterfly(simulated_machine(), 2, 4096), times_of({{8, 0, 4096}}).front() + 1);
}

TEST(MicroBenchmarks, SixteenMessagesShareTheBif) {
  // 8 x 32 lines of 20 cycles each way; the mean ends three and a half lines before the last.
  const Cycles together = 8 * 32 * 20 + 798 - 20 - 3.5 * 20;
  EXPECT_NEAR(congestion(simulated_machine(), 16, 4096), together - (40 + 2 * 734 + 15 * 20 + 24), 60);
}

TEST(Parameters, AreThoseOfTheChannels) {
  const Platform platform = measure_parameters(simulated_machine(), Extent::kChip, GapMethod::kGetsFromRoot);
  ASSERT_EQ(platform.models.size(), 1U);
  const ParameterTable& table = platform.models.front();
  EXPECT_EQ(table.model, "plogp-cell");
  ASSERT_EQ(table.groups.size(), 2U);
  EXPECT_EQ(table.groups[0].scope.channel, kIntraSocket);
  // Hops from SPE 0 to the others: 3, 1, 4, 2, 5, 3, 6 (SPE 1 to 7), on average 24/7.
  const double put = kAck + 2 * (24.0 / 7 - 3);
  EXPECT_NEAR(table.groups[0].values.at("L_ack").value, put / 3.2e9, 1e-15);
  // An address, and a get that has the phases of a put.
  EXPECT_EQ(table.groups[0].curves.at("L").front().bytes, 16);
  EXPECT_NEAR(table.groups[0].curves.at("L").front().estimate.value, 2 * put / 3.2e9, 1e-15);
  EXPECT_NEAR(table.groups[1].values.at("gamma").value, 3.0 / 16 / 3.2e9, 1e-18);
  EXPECT_EQ(platform.nodes.front().topology.cores.size(), 8U);
}

TEST(Parameters, OfABladeHaveCongestion) {
  const Platform platform = measure_parameters(simulated_machine(), Extent::kCluster, GapMethod::kGetsFromRoot);
  EXPECT_EQ(platform.channels, (std::vector<std::string>{"intra-socket", "inter-node", "spe-ppe", "between-blades"}));
  const ParameterSurface& congestion = platform.models.front().groups[1].surfaces.at("C");
  EXPECT_EQ(congestion.front().at, 2);
  EXPECT_EQ(congestion.front().curve.back().estimate.value, 0);
  EXPECT_EQ(congestion.back().at, 16);
  EXPECT_GT(congestion.back().curve.back().estimate.value, 0);
  // Two overheads of 5 us and 25 us between: L + g(0) of the network.
  const ParameterGroup& network = platform.models.front().groups[3];
  EXPECT_NEAR(network.curves.at("L").front().estimate.value + network.curves.at("g").front().estimate.value, 35e-6,
              0.4e-6);
}

}  // namespace
}  // namespace postage::blade
