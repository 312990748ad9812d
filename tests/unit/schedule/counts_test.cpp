#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/schedule/counts.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace postage {
namespace {

class Counts : public ::testing::Test {
 protected:
  std::vector<Bytes> read(const std::string& text, Collective collective = Collective::kScatter, Bytes element = 1) {
    write_file(path_, text);
    return read_counts(path_, collective, element);
  }
  std::string refusal(const std::string& text, Collective collective = Collective::kScatter) {
    try {
      static_cast<void>(read(text, collective));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string path_ = std::filesystem::path(::testing::TempDir()) / "postage_counts_test.txt";
};

TEST_F(Counts, AreOneALineInElements) {
  EXPECT_EQ(read("3\n0 # nothing\n\n# a comment\n12\n", Collective::kScatter, 8), (std::vector<Bytes>{24, 0, 96}));
  EXPECT_EQ(read("[3, 0, 12]", Collective::kGather, 8), (std::vector<Bytes>{24, 0, 96}));
}

TEST_F(Counts, OfAlltoallAreARowForEachSource) {
  EXPECT_EQ(read("0 1\n2,3\n", Collective::kAlltoall), (std::vector<Bytes>{0, 1, 2, 3}));
  EXPECT_EQ(read("[[0, 1], [2, 3]]", Collective::kAlltoall), (std::vector<Bytes>{0, 1, 2, 3}));
  EXPECT_EQ(ranks_of_blocks(Collective::kAlltoall, 9), 3);
  EXPECT_EQ(ranks_of_blocks(Collective::kAllgather, 9), 9);
}

TEST_F(Counts, SayWhichLineIsWrong) {
  EXPECT_NE(refusal("1\n2x\n").find("line 2: '2x' is not a count"), std::string::npos);
  EXPECT_NE(refusal("1\n-2\n").find("line 2"), std::string::npos);
  EXPECT_NE(refusal("1\n# comment\n2 3\n").find("line 3"), std::string::npos);
  EXPECT_NE(refusal("1 2\n3\n", Collective::kAlltoall).find("line 2"), std::string::npos);
  EXPECT_NE(refusal("[1, 2.5]").find("item 2"), std::string::npos);
  EXPECT_NE(refusal("[1, ").find("line 1"), std::string::npos);
  EXPECT_NE(refusal("\n").find("no counts"), std::string::npos);
  EXPECT_NE(refusal("9223372036854775807\n").find("too many"), std::string::npos);
}

TEST_F(Counts, AreForMpisUnevenCollectives) {
  EXPECT_EQ(parse_named_collective("alltoallv").collective, Collective::kAlltoall);
  EXPECT_TRUE(parse_named_collective("scatterv").is_uneven);
  EXPECT_FALSE(parse_named_collective("scatter").is_uneven);
  EXPECT_FALSE(parse_named_collective("reduce_scatter").is_uneven);
  EXPECT_THROW(static_cast<void>(parse_named_collective("bcastv")), UsageError);
}

}  // namespace
}  // namespace postage
