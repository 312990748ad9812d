#include <postage/base/error.hpp>
#include <postage/platform/host_list.hpp>

#include <gtest/gtest.h>

#include <random>

namespace postage {
namespace {

using Names = std::vector<std::string>;

TEST(HostLists, AreExpandedAsSlurmDoes) {
  EXPECT_EQ(expand_host_list("a"), Names{"a"});
  EXPECT_EQ(expand_host_list("a[1-4,7]"), (Names{"a1", "a2", "a3", "a4", "a7"}));
  EXPECT_EQ(expand_host_list("b[008-011]"), (Names{"b008", "b009", "b010", "b011"}));
  EXPECT_EQ(expand_host_list("b[8-11]"), (Names{"b8", "b9", "b10", "b11"}));
  EXPECT_EQ(expand_host_list("b[08-9]"), (Names{"b08", "b09"}));
  EXPECT_EQ(expand_host_list("r[1-2]n[0-1]"), (Names{"r1n0", "r1n1", "r2n0", "r2n1"}));
  EXPECT_EQ(expand_host_list("a[1,3]-ib0,login"), (Names{"a1-ib0", "a3-ib0", "login"}));
  EXPECT_EQ(expand_host_list("x[5]"), Names{"x5"});
  EXPECT_EQ(expand_host_list("n[0-131071]").size(), kMostListedHosts);
}

TEST(HostLists, ThatAreNoneAreRefused) {
  for (const char* wrong : {"",
                            ",",
                            "a,",
                            ",a",
                            "a,,b",
                            "a[",
                            "a]",
                            "a[1",
                            "a1]",
                            "a[]",
                            "a[1-]",
                            "a[-1]",
                            "a[2-1]",
                            "a[1--2]",
                            "a[a-c]",
                            "a[1;2]",
                            "a[[1]]",
                            "a[1][",
                            "a[1,]",
                            "a[1-2-3]",
                            "a[ 1]",
                            "a[99999999999999999999]",
                            "a[0-999999999999]",
                            "n[0-131072]",
                            "a[0-999]b[0-999]c[0-999]",
                            "a[0-100000],b[0-100000]",
                            "a[1]]b["}) {
    EXPECT_THROW(static_cast<void>(expand_host_list(wrong)), UsageError) << wrong;
  }
}

TEST(HostLists, AreWrittenByRanges) {
  EXPECT_EQ(format_host_list(Names{"h0", "h1", "h2"}), "h[0-2]");
  EXPECT_EQ(format_host_list(Names{"h0", "h2", "h3", "login", "n08", "n09", "n10"}), "h[0,2-3],login,n[08-10]");
  EXPECT_EQ(format_host_list(Names{"r1n0", "r1n1", "r2n0"}), "r1n[0-1],r2n0");
  EXPECT_EQ(format_host_list(Names{"a9", "a10", "a09", "a010"}), "a[9-10,09,010]");
  EXPECT_EQ(format_host_list(Names{"n1.site", "n2.site"}), "n[1-2].site");
  EXPECT_EQ(format_host_list(Names{}), "");
}

TEST(HostLists, GoThereAndBack) {
  std::mt19937 generator(5);
  const std::vector<std::string> stems{"n", "rack1-n", "x0y", "login", "9"};
  for (int trial = 0; trial < 500; ++trial) {
    Names hosts;
    for (int i = 0; i < 12; ++i) {
      const std::string& stem = stems[generator() % stems.size()];
      const std::string zeros(generator() % 3, '0');
      hosts.push_back(generator() % 8 == 0 ? stem + "z" : stem + zeros + std::to_string(generator() % 13));
    }
    EXPECT_EQ(expand_host_list(format_host_list(hosts)), hosts) << format_host_list(hosts);
  }
}

TEST(HostLists, HoldWhateverBytesComeWithoutHarm) {
  std::mt19937 generator(6);
  const std::string letters = "a[]-,0129";
  for (int trial = 0; trial < 20000; ++trial) {
    std::string text;
    for (std::size_t i = generator() % 12; i > 0; --i) {
      text += letters[generator() % letters.size()];
    }
    try {
      const Names hosts = expand_host_list(text);
      EXPECT_LE(hosts.size(), kMostListedHosts);
      EXPECT_EQ(expand_host_list(format_host_list(hosts)), hosts) << text;
    } catch (const UsageError&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace postage
