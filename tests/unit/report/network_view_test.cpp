#include <postage/report/network_view.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace postage {
namespace {

Estimate about(double value) {
  return {value, 0.98 * value, 1.02 * value};
}

NodeTopology cores_of(int sockets, int per_socket) {
  NodeTopology node;
  for (int i = 0; i < sockets * per_socket; ++i) {
    node.cores.push_back({.pu = i, .socket = i / per_socket, .numa = i / per_socket, .cache = i / per_socket});
  }
  return node;
}

Platform platform_of(int hosts, const NodeTopology& node) {
  Platform platform{.name = "p", .implementation = "Some MPI", .channels = {kInterNode}};
  for (int i = 0; i < hosts; ++i) {
    platform.nodes.push_back({"h" + std::to_string(i), node});
    platform.ranks.push_back({i, 0});
  }
  return platform;
}

std::vector<int> from_to(int first, int last) {
  std::vector<int> numbers;
  for (int i = first; i <= last; ++i) {
    numbers.push_back(i);
  }
  return numbers;
}

/// Hosts of `groups` groups of `size`.
Platform tree_of(int groups, int size) {
  Platform platform = platform_of(groups * size, cores_of(1, 4));
  NetworkStructure network{.levels = {{.ways = 2, .bandwidth = about(1e9)}}};
  network.classes = {{.hosts = from_to(0, groups * size - 1), .send = about(5e8), .receive = about(5e8)}};
  for (int i = 0; i < groups; ++i) {
    network.groups.push_back(
        {.name = "s" + std::to_string(i), .level = 0, .hosts = from_to(size * i, size * i + size - 1)});
  }
  platform.network = network;
  return platform;
}

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

TEST(NetworkView, TwoHostsAreOneBox) {
  const NetworkView view = network_view(platform_of(2, cores_of(2, 4)));
  EXPECT_EQ(network_text(view),
            "p: 2 hosts, 2 ranks, Some MPI\n"
            "network\n"
            "└─ 2 hosts alike: h[0-1]\n"
            "   └─ 2 sockets\n"
            "      └─ 4 cores\n");
}

TEST(NetworkView, HostsOfUnlikeProcessorsAreNotAlike) {
  Platform platform = platform_of(4, cores_of(1, 1));
  platform.network = NetworkStructure{};
  platform.network->classes = {{.hosts = {0, 2}, .overhead = about(1e-6)}, {.hosts = {1, 3}, .overhead = about(3e-6)}};
  const std::string text = network_text(network_view(platform));
  expect_has(text, "2 hosts alike: h[0,2]");
  expect_has(text, "2 hosts alike: h[1,3]");
  expect_has(text, "a small message keeps it 3");
}

TEST(NetworkView, OneHostHasNoNetwork) {
  expect_has(network_text(network_view(platform_of(1, cores_of(1, 1)))), "no network\n└─ 1 host: h0\n   └─ 1 core\n");
}

TEST(NetworkView, OneHostIsDrawnWithItsCores) {
  const auto count_of = [](const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++count;
    }
    return count;
  };
  const std::string svg = network_svg(network_view(platform_of(1, cores_of(2, 4))));
  EXPECT_EQ(count_of(svg, "class=\"core\""), 8U);
  EXPECT_EQ(count_of(svg, ">socket</text>"), 2U);
  EXPECT_EQ(svg.find("no network"), std::string::npos);
  expect_has(network_svg(network_view(platform_of(1, cores_of(16, 2)))), "16 sockets alike, one drawn");
}

TEST(NetworkView, NodesShowTheLevelsThatTellTheirCoresApart) {
  NodeTopology node;
  for (int i = 0; i < 12; ++i) {
    node.cores.push_back({.pu = i, .socket = i / 8, .numa = i / 4, .cache = i / 2});
  }
  const NetworkView view = network_view(platform_of(1, node));
  EXPECT_EQ(
      inside_of(view.parts.front()),
      "1 socket, each 2 NUMA nodes, each 2 shared caches, each 2 cores and 1 socket, each 2 shared caches, each 2 "
      "cores");
}

TEST(NetworkView, GroupsThatAreAlikeAreFolded) {
  const NetworkView view = network_view(tree_of(4, 4));
  EXPECT_EQ(network_text(view),
            "p: 16 hosts, 16 ranks, Some MPI\n"
            "network\n"
            "└─ 4 groups alike, s0: h[0-3], s1: h[4-7], s2: h[8-11], s3: h[12-15]; 2 links of 1 GB/s up and down\n"
            "   └─ 4 hosts alike; sends 500 MB/s, receives 500 MB/s\n"
            "      └─ 4 cores\n");
}

TEST(NetworkView, GroupsThatCablesJoinSayToWhichOthers) {
  for (const int groups : {2, 3}) {
    Platform platform = tree_of(groups, 4);
    platform.network->levels[0].junction = GroupJunction::kMesh;
    expect_has(network_text(network_view(platform)),
               groups == 2 ? "2 links of 1 GB/s to the other group" : "2 links of 1 GB/s to each other group");
  }
}

TEST(NetworkView, SeveralCablesToASwitchAreCounted) {
  Platform platform = tree_of(2, 4);
  platform.network->levels[0].ways = 4;
  platform.network->levels[0].cables = 2;
  const std::string text = network_text(network_view(platform));
  expect_has(text, "2 cables to each switch above, 4 links of 1 GB/s up and down");
}

TEST(NetworkView, RowsAreJoinedFromEachGroupWithin) {
  Platform platform = platform_of(8, cores_of(1, 1));
  NetworkStructure network{.levels = {{.junction = GroupJunction::kMesh, .bandwidth = about(1e9)},
                                      {.junction = GroupJunction::kRows, .bandwidth = about(3e9)}}};
  for (int router = 0; router < 4; ++router) {
    network.groups.push_back({"r" + std::to_string(router), 0, 4 + router / 2, from_to(2 * router, 2 * router + 1)});
  }
  network.groups.push_back({"row 0", 1, -1, from_to(0, 3)});
  network.groups.push_back({"row 1", 1, -1, from_to(4, 7)});
  platform.network = network;
  const std::string text = network_text(network_view(platform));
  expect_has(text, "rows: links between each two groups, from those at one place within them");
  expect_has(text, "a link of 3 GB/s from each group within to the other group");
  expect_has(text, "a link of 1 GB/s to the other group");
}

TEST(NetworkView, WhatDiffersIsDrawnByItself) {
  Platform platform = tree_of(4, 4);
  platform.network->groups[2].up = about(2e8);
  platform.network->classes = {{.hosts = {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15}},
                               {.hosts = {7}, .send = about(1e8)}};
  const std::string text = network_text(network_view(platform));
  expect_has(text, "2 groups alike, s0: h[0-3], s3: h[12-15]");
  expect_has(text, "1 group, s2: h[8-11]; 2 links of 200 MB/s up, 2 links of 1 GB/s down");
  expect_has(text, "3 hosts alike: h[4-6]");
  expect_has(text, "1 host: h7; sends 100 MB/s");
}

TEST(NetworkView, StaysReadableForManyHosts) {
  const NetworkView view = network_view(tree_of(64, 16));
  const std::string text = network_text(view);
  EXPECT_LE(lines_in(text), 6U);
  expect_has(text, "64 groups alike, s[0-63]");
  EXPECT_LT(network_svg(view).size(), 8000U);
}

TEST(NetworkView, ManyKindsAreSummedUpInTheDrawing) {
  Platform platform = tree_of(40, 2);
  for (std::size_t i = 0; i < 40; ++i) {
    platform.network->groups[i].up = about(1e8 * static_cast<double>(i + 1));
  }
  const std::string svg = network_svg(network_view(platform));
  expect_has(svg, "32 more groups");
  EXPECT_LT(svg.size(), 40000U);
}

TEST(NetworkView, LevelsTellWhatAMessageTakes) {
  Platform platform = tree_of(2, 2);
  platform.channels = {kSharedCache, kInterNode};
  platform.ranks.push_back({0, 1});
  const auto add = [&](int source, int target, const char* channel, Bytes bytes, double seconds) {
    platform.points.push_back({source, target, channel, bytes, about(seconds), 10, true});
  };
  for (const Bytes bytes : {Bytes{1}, Bytes{1000001}}) {
    const auto size = static_cast<double>(bytes - 1);
    add(0, 4, kSharedCache, bytes, 1e-6 + size * 1e-10);
    add(0, 1, kInterNode, bytes, 3e-6 + size * 1e-9);
    add(0, 2, kInterNode, bytes, 5e-6 + size * 2e-9);
    add(1, 3, kInterNode, bytes, 5e-6 + size * 2e-9);
  }
  const std::vector<LevelTime> levels = network_view(platform).levels;
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_EQ(levels[0].between, "cores that share a cache");
  EXPECT_EQ(levels[1].between, "hosts of one group");
  EXPECT_EQ(levels[2].between, "hosts of different groups");
  EXPECT_EQ(levels[2].pairs, 2U);
  EXPECT_NEAR(levels[2].latency.value, 5e-6, 1e-12);
  ASSERT_TRUE(levels[2].rate);
  EXPECT_NEAR(levels[2].rate->value, 5e8, 1);
}

TEST(NetworkView, ATorusIsAGrid) {
  Platform platform = platform_of(24, cores_of(1, 1));
  platform.network = NetworkStructure{.torus = TorusNetwork{{4, 3, 2}, {about(1e9), about(1e9), std::nullopt}}};
  platform.points.push_back({0, 23, kInterNode, 1, about(1e-6), 10, true});
  const NetworkView view = network_view(platform);
  EXPECT_EQ(view.core, "torus of 4 x 3 x 2 hosts");
  ASSERT_EQ(view.levels.size(), 1U);
  EXPECT_EQ(view.levels[0].between, "hosts 3 steps apart");
  const std::string svg = network_svg(view);
  std::size_t circles = 0;
  for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) {
    ++circles;
  }
  EXPECT_EQ(circles, 24U);
}

TEST(NetworkView, NamesAreSafeInTheDrawing) {
  Platform platform = platform_of(2, cores_of(1, 1));
  platform.name = "<script>&\"";
  platform.nodes[0].name = "</svg>";
  const std::string svg = network_svg(network_view(platform));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("</svg>"), svg.size() - 7);
}

TEST(NetworkView, JsonHoldsTheSame) {
  const Json json = to_json(network_view(tree_of(4, 4)));
  EXPECT_EQ(json["parts"][0]["count"].integer(), 4);
  EXPECT_EQ(json["parts"][0]["hosts"][1].text(), "h[4-7]");
  EXPECT_EQ(json["parts"][0]["parts"][0]["kind"].text(), "host");
  EXPECT_NEAR(json["parts"][0]["bandwidth"].number(), 2e9, 1);
}

}  // namespace
}  // namespace postage
