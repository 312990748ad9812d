#include <postage/base/error.hpp>
#include <postage/platform/switch_tree.hpp>

#include <gtest/gtest.h>

#include <random>

namespace postage {
namespace {

SwitchTree parse(const std::string& text) {
  return parse_topology_conf(text, "topology.conf");
}

std::string mistake_in(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const UsageError& mistake) {
    return mistake.what();
  }
  return "no mistake";
}

void expect_mistake(const std::string& text, const std::vector<std::string>& mentions) {
  const std::string mistake = mistake_in(text);
  for (const std::string& mention : mentions) {
    EXPECT_NE(mistake.find(mention), std::string::npos) << text << '\n' << mistake;
  }
  EXPECT_EQ(mistake.find('\n'), std::string::npos) << mistake;
}

constexpr const char* kTree =
    "# Two racks of a cluster\n"
    "SwitchName=s0 Nodes=a[0-2] # the first\r\n"
    "  switchname=s1   NODES=\"a[3-4]\" \\\n"
    "    LinkSpeed=100\n"
    "\n"
    "SwitchName = s2 Nodes = b[00-01],login\n"
    "SwitchName=spine Switches=s[0-2]";

TEST(TopologyConf, IsReadAsSlurmReadsIt) {
  const SwitchTree tree = parse(kTree);
  ASSERT_EQ(tree.switches.size(), 4U);
  EXPECT_EQ(tree.switches[0], (SiteSwitch{"s0", 2, 3, {"a0", "a1", "a2"}, {}}));
  EXPECT_EQ(tree.switches[1], (SiteSwitch{"s1", 3, 3, {"a3", "a4"}, 100}));
  EXPECT_EQ(tree.switches[2], (SiteSwitch{"s2", 6, 3, {"b00", "b01", "login"}, {}}));
  EXPECT_EQ(tree.switches[3], (SiteSwitch{"spine", 7, -1, {}, {}}));
}

TEST(TopologyConf, MistakesAreNamedByTheirLines) {
  expect_mistake("", {"describes no switch"});
  expect_mistake("# nothing\n", {"describes no switch"});
  expect_mistake("SwitchName=s0 Nodes=a1\nSwitchName=s1 Nodes=a[1-2]\n", {"topology.conf:2:", "a1", "s0", "line 1"});
  expect_mistake("SwitchName=s0 Nodes=a1,a1\n", {"topology.conf:1:", "a1"});
  expect_mistake("SwitchName=s0 Nodes=a1\n\nSwitchName=s0 Nodes=a2\n", {"topology.conf:3:", "s0", "line 1"});
  expect_mistake("SwitchName=s0 Nodes=a1\nSwitchName=t Switches=s[0-1]\n", {"topology.conf:2:", "s1", "no line"});
  expect_mistake("SwitchName=a Switches=b\nSwitchName=b Switches=a\n", {"topology.conf:1:", "above itself"});
  expect_mistake("SwitchName=a Switches=a\n", {"topology.conf:1:", "above itself"});
  expect_mistake("SwitchName=s Nodes=a\nSwitchName=t Switches=s\nSwitchName=u Switches=s\n",
                 {"topology.conf:3:", "below t", "line 2"});
  expect_mistake("SwitchName=s Nodes=a Switches=b\n", {"topology.conf:1:", "either"});
  expect_mistake("SwitchName=s\n", {"topology.conf:1:", "either"});
  expect_mistake("Nodes=a\n", {"topology.conf:1:", "no switch"});
  expect_mistake("SwitchName=s[0-1] Nodes=a\n", {"topology.conf:1:", "s[0-1]"});
  expect_mistake("SwitchName=s Nodes=a[1\n", {"topology.conf:1:", "a[1"});
  expect_mistake("SwitchName=s Nodes=a LinkSpeed=fast\n", {"topology.conf:1:", "fast"});
  expect_mistake("SwitchName=s Nodes=a Nodes=b\n", {"topology.conf:1:", "nodes= stands twice"});
  expect_mistake("SwitchName=s Nodes=\"a\n", {"topology.conf:1:", "'\"'"});
  expect_mistake("SwitchName=s Nodes=\n", {"topology.conf:1:", "no value"});
  expect_mistake("SwitchName=s Nodes=a Speed=1\n", {"topology.conf:1:", "Speed"});
  expect_mistake("SwitchName=s Nodes=ALL\n", {"topology.conf:1:", "ALL"});
  expect_mistake("include other.conf\n", {"topology.conf:1:", "Include"});
  expect_mistake("BlockName=b0 Nodes=a[0-3]\n", {"topology.conf:1:", "topology/block"});
  expect_mistake("hello\n", {"topology.conf:1:", "hello"});
}

TEST(TopologyConf, AnyLinesAreReadOrRefusedInOneSentence) {
  std::mt19937 generator(7);
  const std::vector<std::string> words{"SwitchName=", "Nodes=",      "Switches=", "s0", "s1",     "a[0-2]",
                                       "a",           "\"",          "\\\n",      "\n", " ",      "#",
                                       "=",           "LinkSpeed=1", "[",         "]",  "Include"};
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (std::size_t i = generator() % 16; i > 0; --i) {
      text += words[generator() % words.size()];
    }
    const std::string mistake = mistake_in(text);
    EXPECT_EQ(mistake.find('\n'), std::string::npos) << text << " -> " << mistake;
  }
}

TEST(SwitchTree, GroupsTheHostsOfAJob) {
  const std::vector<std::string> hosts{"a0", "a3", "b01", "a1", "a4"};
  const NetworkStructure network = groups_of(parse(kTree), hosts);
  ASSERT_EQ(network.levels.size(), 1U);
  EXPECT_FALSE(network.levels[0].bandwidth);
  ASSERT_EQ(network.groups.size(), 3U);
  EXPECT_EQ(network.groups[0], (HostGroup{"s0", 0, -1, {0, 3}}));
  EXPECT_EQ(network.groups[1], (HostGroup{"s1", 0, -1, {1, 4}}));
  EXPECT_EQ(network.groups[2], (HostGroup{"s2", 0, -1, {2}}));
}

TEST(SwitchTree, OfOneSwitchMakesNoGroups) {
  const std::vector<std::string> hosts{"a0", "a2"};
  EXPECT_EQ(groups_of(parse(kTree), hosts), NetworkStructure{});
}

TEST(SwitchTree, LevelsAreThoseThatTellHostsApart) {
  // Three levels of switches; one leaf is directly on the highest, and one switch in between is alone.
  const SwitchTree tree = parse(
      "SwitchName=l0 Nodes=n[0-1]\nSwitchName=l1 Nodes=n[2-3]\nSwitchName=l2 Nodes=n[4-5]\nSwitchName=l3 Nodes=n6\n"
      "SwitchName=m0 Switches=l[0-1]\nSwitchName=m1 Switches=l2\nSwitchName=top Switches=m[0-1],l3\n");
  const std::vector<std::string> hosts{"n0", "n1", "n2", "n3", "n4", "n5", "n6"};
  const NetworkStructure network = groups_of(tree, hosts);
  ASSERT_EQ(network.levels.size(), 2U);
  ASSERT_EQ(network.groups.size(), 7U);
  EXPECT_EQ(network.groups[0], (HostGroup{"l0", 0, 4, {0, 1}}));
  EXPECT_EQ(network.groups[3], (HostGroup{"l3", 0, 6, {6}}));
  EXPECT_EQ(network.groups[4], (HostGroup{"m0", 1, -1, {0, 1, 2, 3}}));
  EXPECT_EQ(network.groups[5], (HostGroup{"m1", 1, -1, {4, 5}}));
  EXPECT_EQ(network.groups[6], (HostGroup{"l3", 1, -1, {6}}));
}

TEST(SwitchTree, HostsMayHaveTheirDomain) {
  const SwitchTree tree = parse("SwitchName=s0 Nodes=a1.site,a2.site\nSwitchName=s1 Nodes=b1,b2\n");
  const std::vector<std::string> hosts{"a1", "b1.site", "b2.site"};
  const NetworkStructure network = groups_of(tree, hosts);
  ASSERT_EQ(network.groups.size(), 2U);
  EXPECT_EQ(network.groups[1].hosts, (std::vector<int>{1, 2}));
}

TEST(SwitchTree, HostsThatItDoesNotKnowAreRefused) {
  const auto mistake = [](const std::string& text, const std::vector<std::string>& hosts) {
    try {
      static_cast<void>(groups_of(parse(text), hosts));
    } catch (const UsageError& refused) {
      return std::string(refused.what());
    }
    return std::string("no mistake");
  };
  EXPECT_NE(mistake(kTree, {"a0", "c9"}).find("topology.conf: host c9"), std::string::npos);
  const std::string two = mistake("SwitchName=s Nodes=a.x,a.y,b\n", {"a"});
  EXPECT_NE(two.find("a.x or a.y"), std::string::npos) << two;
  const std::string one = mistake("SwitchName=s Nodes=a,b\n", {"a.x", "a.y"});
  EXPECT_NE(one.find("both a.x and a.y"), std::string::npos) << one;
}

}  // namespace
}  // namespace postage
