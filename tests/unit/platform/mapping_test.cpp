#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/mapping.hpp>

#include <gtest/gtest.h>

#include <filesystem>

namespace postage {
namespace {

Platform two_nodes() {
  Platform platform{.name = "two", .channels = {kSharedCache, kInterNode}};
  const NodeTopology node{{{0, 0, 0, 0}, {1, 0, 0, 0}}};
  platform.nodes = {{"a", node}, {"b", node}};
  platform.ranks = {{0, 0}, {1, 1}};
  return platform;
}

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Mapping, BlockAndCyclic) {
  EXPECT_EQ(Mapping::block(4, 8).placement_of(17), (RankPlacement{2, 1}));
  EXPECT_EQ(Mapping::cyclic(4, 8).placement_of(17), (RankPlacement{1, 4}));
  EXPECT_EQ(Mapping::block(4, 8).capacity(), 32);
}

TEST(Mapping, NeedsANodeAndASlot) {
  EXPECT_THROW(static_cast<void>(Mapping::block(0, 1)), UsageError);
  EXPECT_THROW(static_cast<void>(Mapping::cyclic(4, 0)), UsageError);
}

TEST(Mapping, FileWithCommentsAndBlankLines) {
  const auto path = std::filesystem::path(testing::TempDir()) / "mapping.txt";
  write_file(path, "# node slot\n0 1\n\n1 0 # leader\n");
  const Mapping mapping = Mapping::from_file(path.string());
  EXPECT_EQ(mapping.capacity(), 2);
  EXPECT_EQ(mapping.placement_of(1), (RankPlacement{1, 0}));
  EXPECT_EQ(mapping.nodes(), 2);
  for (const char* line : {"0", "0 x", "0 1 2", "-1 0", "zero one", "2147483647 0", "16777216 0", "0 65536"}) {
    write_file(path, std::string("0 0\n") + line + "\n");
    EXPECT_NE(message_of([&] { static_cast<void>(Mapping::from_file(path.string())); }).find(":2: "), std::string::npos)
        << line;
  }
  write_file(path, "0 0\n0 1\n0 0\n");
  EXPECT_NE(message_of([&] {
              static_cast<void>(Mapping::from_file(path.string()));
            }).find(":3: slot 0 of node 0 is taken since line 1"),
            std::string::npos);
  write_file(path, "# nothing\n");
  EXPECT_NE(message_of([&] { static_cast<void>(Mapping::from_file(path.string())); }).find("names no rank"),
            std::string::npos);
}

TEST(ChannelMap, TellsNodesFromCores) {
  const ChannelMap map(two_nodes(), Mapping::block(2, 2));
  EXPECT_EQ(map.channel_of(0, 1), 0);
  EXPECT_EQ(map.channel_of(1, 2), 1);
}

TEST(ChannelMap, KnowsWhichMeasuredRankAPlaceBelongsTo) {
  const ChannelMap map(two_nodes(), Mapping::block(3, 2));
  EXPECT_EQ(map.measured_rank(0), 0);
  EXPECT_EQ(map.measured_rank(1), -1);
  EXPECT_EQ(map.measured_rank(3), 1);
  EXPECT_EQ(map.measured_rank(4), -1);  // a third node, like the first but never measured
}

TEST(ChannelMap, RefusesSlotsAndChannelsThatAreNotThere) {
  EXPECT_EQ(
      message_of([] { ChannelMap(two_nodes(), Mapping::block(2, 3)); }),
      "the mapping puts a rank on slot 2 of node 0, but a has 2 cores: give --per-node 2, or a mapping of slots 0 to "
      "1");
  Platform lonely = two_nodes();
  lonely.channels = {kSharedCache};
  const ChannelMap map(lonely, Mapping::block(2, 2));
  EXPECT_NE(message_of([&] { static_cast<void>(map.channel_of(0, 2)); }).find("inter-node, which was not measured"),
            std::string::npos);
}

}  // namespace
}  // namespace postage
