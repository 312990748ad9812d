#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/mapping.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace postage {
namespace {

// The sentence that `action` throws, or nothing.
template <typename Exception, typename Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const Exception& mistake) {
    return mistake.what();
  }
  return "";
}

Mapping from_text(const std::string& text) {
  const auto path = std::filesystem::temp_directory_path() / ("postage-mapping-" + std::to_string(getpid()));
  write_file(path, text);
  struct Remove {
    const std::filesystem::path& path;
    ~Remove() { std::filesystem::remove(path); }
  } remove{path};
  return Mapping::from_file(path.string());
}

TEST(Mapping, BlockFillsNodeAfterNode) {
  const auto mapping = Mapping::block(3, 2);
  EXPECT_EQ(mapping.capacity(), 6);
  EXPECT_EQ(mapping.place_of(0), (RankPlace{0, 0}));
  EXPECT_EQ(mapping.place_of(1), (RankPlace{0, 1}));
  EXPECT_EQ(mapping.place_of(2), (RankPlace{1, 0}));
  EXPECT_EQ(mapping.place_of(5), (RankPlace{2, 1}));
}

TEST(Mapping, CyclicGoesRoundTheNodes) {
  const auto mapping = Mapping::cyclic(3, 2);
  EXPECT_EQ(mapping.place_of(0), (RankPlace{0, 0}));
  EXPECT_EQ(mapping.place_of(1), (RankPlace{1, 0}));
  EXPECT_EQ(mapping.place_of(3), (RankPlace{0, 1}));
  EXPECT_EQ(mapping.place_of(5), (RankPlace{2, 1}));
}

TEST(Mapping, HoldsAsManyRanksAsARankNumberCanSay) {
  EXPECT_EQ(Mapping::block(1 << 20, 1 << 20).capacity(), std::int64_t{1} << 40);
}

TEST(Mapping, RefusesNothingAndRanksThatItHasNoPlaceFor) {
  EXPECT_THROW(static_cast<void>(Mapping::block(0, 1)), UsageError);
  EXPECT_THROW(static_cast<void>(Mapping::cyclic(1, -1)), UsageError);
  EXPECT_THROW(static_cast<void>(Mapping::explicit_places({})), UsageError);
  EXPECT_THROW(static_cast<void>(Mapping::explicit_places({{0, -1}})), UsageError);
  EXPECT_THROW(static_cast<void>(Mapping::block(2, 2).place_of(4)), Error);
  EXPECT_THROW(static_cast<void>(Mapping::block(2, 2).place_of(-1)), Error);
}

TEST(MappingFile, IsOneLineARankWithComments) {
  const auto mapping = from_text("# node slot\n1 0\n\n  0\t1  # the second rank\n0 0");
  EXPECT_EQ(mapping.kind(), Mapping::Kind::kExplicit);
  EXPECT_EQ(mapping.capacity(), 3);
  EXPECT_EQ(mapping.nodes(), 2);
  EXPECT_EQ(mapping.per_node(), 2);
  EXPECT_EQ(mapping.place_of(0), (RankPlace{1, 0}));
  EXPECT_EQ(mapping.place_of(1), (RankPlace{0, 1}));
  EXPECT_EQ(mapping.place_of(2), (RankPlace{0, 0}));
}

TEST(MappingFile, NamesTheLineOfAMistake) {
  for (const char* line : {"0", "0 1 2", "a 1", "0 -1", "0 1.5", "99999999999 0", "0,1"}) {
    const auto said = complaint<UsageError>([&] { static_cast<void>(from_text(std::string("0 0\n") + line + "\n")); });
    EXPECT_NE(said.find(", line 2: '" + std::string(line) + "'"), std::string::npos) << line << " gave: " << said;
  }
  const auto twice = complaint<UsageError>([] { static_cast<void>(from_text("0 0\n0 1\n0 0\n")); });
  EXPECT_NE(twice.find("line 3: slot 0 of node 0 is taken since line 1"), std::string::npos) << twice;
  EXPECT_NE(complaint<UsageError>([] { static_cast<void>(from_text("# nothing\n")); }).find("places no rank"),
            std::string::npos);
  EXPECT_THROW(static_cast<void>(Mapping::from_file("/nonexistent/mapping")), Error);
}

// Two nodes of two sockets with two cores each.
Platform cluster(std::vector<std::string> channels) {
  const NodeTopology node{.cores = {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 1, 1, 1}, {3, 1, 1, 1}}};
  Platform platform;
  platform.name = "test";
  platform.channels = std::move(channels);
  platform.nodes = {{"a", node}, {"b", node}};
  return platform;
}

TEST(ChannelMap, ResolvesPairsByNodeAndTopology) {
  const auto platform = cluster({kInterNode, kSharedCache, kInterSocket});
  const ChannelMap block(platform, Mapping::block(5, 4));
  EXPECT_EQ(block.channel_of(0, 1), 1);
  EXPECT_EQ(block.channel_of(1, 2), 2);
  EXPECT_EQ(block.channel_of(3, 4), 0);
  EXPECT_EQ(block.channel_of(16, 17), 1) << "the fifth node is like the first";
  const ChannelMap cyclic(platform, Mapping::cyclic(2, 4));
  EXPECT_EQ(cyclic.channel_of(0, 1), 0);
  EXPECT_EQ(cyclic.channel_of(0, 2), 1);
  EXPECT_EQ(cyclic.channel_of(0, 4), 2);
}

TEST(ChannelMap, SaysWhichChannelIsMissing) {
  const ChannelMap map(cluster({kSharedCache}), Mapping::block(2, 4));
  EXPECT_EQ(map.channel_of(0, 1), 0);
  const auto said = complaint<Error>([&] { static_cast<void>(map.channel_of(1, 2)); });
  EXPECT_NE(said.find("inter-socket"), std::string::npos) << said;
  EXPECT_NE(said.find("it has shared-cache"), std::string::npos) << said;
}

TEST(ChannelMap, RefusesSlotsThatThePlatformDoesNotHave) {
  auto platform = cluster({kSharedCache});
  platform.nodes[1].topology.cores.pop_back();
  EXPECT_NO_THROW(ChannelMap(platform, Mapping::block(1, 4)));
  const auto said = complaint<Error>([&] { ChannelMap(platform, Mapping::block(2, 4)); });
  EXPECT_NE(said.find("4 slots of node 1, but node 'b' of platform 'test' has 3"), std::string::npos) << said;
  EXPECT_THROW(ChannelMap(platform, Mapping::explicit_places({{0, 0}, {3, 3}})), Error);
  EXPECT_NO_THROW(ChannelMap(platform, Mapping::explicit_places({{0, 3}, {3, 2}})));
  EXPECT_THROW(ChannelMap(Platform{}, Mapping::block(1, 1)), Error);
}

TEST(ChannelMap, OfParametersGivenByHandHasOneChannel) {
  const auto map = ChannelMap::single_channel();
  EXPECT_EQ(map.channel_of(0, 1000000), 0);
  EXPECT_GT(map.mapping().capacity(), 1000000);
}

}  // namespace
}  // namespace postage
