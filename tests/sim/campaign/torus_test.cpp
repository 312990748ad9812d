// Pairs of hosts that share links with other pairs.
#include "sim/simulation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace postage {
namespace {

constexpr int kCorners = 8;
constexpr int kOfACorner = 8;  ///< ranks

/// The switches on the way between two hosts of a torus of 2 x 2 x 2, one dimension after the other.
std::vector<int> switches_between(int from, int to) {
  std::vector<int> way{from};
  for (int dimension = 1; dimension < kCorners; dimension *= 2) {
    if ((way.back() & dimension) != (to & dimension)) {
      way.push_back(way.back() ^ dimension);
    }
  }
  return way;
}

std::string link_between(int from, int to) {
  return fmt::format("s{}_s{}", from, to);
}

/// Each host has a link in each direction to a switch of its own; those of the torus carry half as much.
VirtualClusterFiles write_torus(const std::filesystem::path& folder) {
  std::string text;
  std::string routes;
  std::string hostfile;
  std::set<std::string> links;
  for (int host = 0; host < kCorners; ++host) {
    hostfile += fmt::format("h{}:{}\n", host, kOfACorner);
    text += fmt::format("<host id=\"h{}\" speed=\"1Gf\" core=\"{}\"/>\n", host, kOfACorner);
    for (const char* direction : {"up", "down"}) {
      text += fmt::format("<link id=\"h{}_{}\" bandwidth=\"1e9Bps\" latency=\"1e-6s\"/>\n", host, direction);
    }
    for (int to = 0; to < kCorners; ++to) {
      if (to == host) {
        continue;
      }
      routes +=
          fmt::format("<route src=\"h{}\" dst=\"h{}\" symmetrical=\"NO\"><link_ctn id=\"h{}_up\"/>", host, to, host);
      const std::vector<int> way = switches_between(host, to);
      for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        const std::string link = link_between(way[i], way[i + 1]);
        links.insert(link);
        routes += fmt::format("<link_ctn id=\"{}\"/>", link);
      }
      routes += fmt::format("<link_ctn id=\"h{}_down\"/></route>\n", to);
    }
  }
  for (const std::string& link : links) {
    text += fmt::format("<link id=\"{}\" bandwidth=\"5e8Bps\" latency=\"1e-6s\"/>\n", link);
  }
  VirtualClusterFiles files{folder / "torus.xml", folder / "torus.hosts", {"--cfg=network/crosstraffic:0"}};
  write_file(files.platform,
             "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
             "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"world\" "
             "routing=\"Full\">\n" +
                 text + routes + "</zone></platform>\n");
  write_file(files.hostfile, hostfile);
  return files;
}

// Some matchings of hosts share no link, and may be those that come in turn of so many pairs of ranks.
TEST(OnATorus, PairsAreMeasuredOneAfterAnother) {
  const TemporaryFolder folder;
  const SampleSet samples = simulate(write_torus(folder.path()), kCorners * kOfACorner,
                                     {"--sizes", "8", "--overhead-sizes", "none", "--train-sizes", "none"});
  EXPECT_TRUE(samples.settings.serial);
}

}  // namespace
}  // namespace postage
