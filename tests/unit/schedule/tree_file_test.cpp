#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/schedule/tree_file.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace postage {
namespace {

class TreeFile : public testing::Test {
 protected:
  TreeFile() : path_(std::filesystem::path(testing::TempDir()) / "postage-tree-file-test.json") {}
  ~TreeFile() override { std::filesystem::remove(path_); }

  [[nodiscard]] std::string refusal_of(const std::string& content) const {
    write_file(path_, content);
    try {
      static_cast<void>(read_schedule_file(path_));
    } catch (const Error& mistake) {
      return std::string(mistake.what()).substr(path_.string().size());
    }
    return "";
  }

  std::filesystem::path path_;
};

TEST_F(TreeFile, HoldsWhatWasWritten) {
  const CollectiveTree gather{.collective = Collective::kGather,
                              .request = {.ranks = 4, .root = 3, .bytes = 15, .block_bytes = {1, 2, 4, 8}},
                              .up = {.parents = {1, 3, 1, -1}, .order = {3, 1, 2, 0}}};
  write_schedule_file(path_, gather);
  const CollectiveTree found = read_schedule_file(path_);
  EXPECT_EQ(found.collective, Collective::kGather);
  EXPECT_EQ(found.request.root, 3);
  EXPECT_EQ(found.request.block_bytes, gather.request.block_bytes);
  EXPECT_EQ(found.request.bytes, 15);
  EXPECT_EQ(found.up.parents, gather.up.parents);
  EXPECT_EQ(found.up.order, gather.up.order);
  EXPECT_THROW(static_cast<void>(resized(found, 64)), UsageError);
}

TEST_F(TreeFile, OfEqualBlocksIsForAnySize) {
  write_schedule_file(path_, {.collective = Collective::kAllgather,
                              .request = {.ranks = 3, .root = 1, .bytes = 10},
                              .up = {.parents = {1, -1, 0}},
                              .down = {.parents = {1, -1, 1}}});
  const Traffic traffic = traffic_of(schedule_along(resized(read_schedule_file(path_), 100)));
  EXPECT_EQ(traffic.messages, 4);
  EXPECT_EQ(traffic.bytes, 100 + 200 + 2 * 300);
}

constexpr const char* kHead = R"({"format": "postage-schedule", "version": 1, "ranks": 3, "root": 0, "bytes": 8,
  "element_bytes": 1, "segment_bytes": 0, )";

TEST_F(TreeFile, HasNoMoreBytesThanCanBeCounted) {
  EXPECT_EQ(refusal_of(R"({"format": "postage-schedule", "version": 1, "collective": "scatter", "ranks": 3, "root": 0,
    "element_bytes": 1, "segment_bytes": 0, "block_bytes": [9223372036854775807, 1, 0], "down": {"parents": [-1, 0, 0]}})"),
            ": the sizes in block_bytes are together more bytes than can be counted");
}

TEST_F(TreeFile, IsRefusedWithOneSentence) {
  const std::string head = kHead;
  EXPECT_EQ(refusal_of(head + R"("collective": "bcast", "down": {"parents": [-1, 2, 1]}})"),
            ": 2 of 3 ranks do not hang from the root 0: their parents form a circle");
  EXPECT_EQ(refusal_of(head + R"("collective": "bcast", "down": {"parents": [-1, 0]}})"),
            ": the tree lists 2 parents; P = 3 ranks need one each, -1 for the root");
  EXPECT_EQ(refusal_of(head + R"("collective": "scatter", "block_bytes": [1, 2], "down": {"parents": [-1, 0, 0]}})"),
            ": 2 block sizes are given; scatter among 3 ranks has 3");
  EXPECT_NE(refusal_of(head + R"("collective": "alltoall"})").find("alltoall does not go along trees"),
            std::string::npos);
  EXPECT_NE(refusal_of(head + R"("collective": "bscat"})").find("bscat"), std::string::npos);
  EXPECT_NE(refusal_of(head + R"("collective": "bcast"})").find("/down"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"format": "postage-platform", "version": 1})").find("postage-schedule"), std::string::npos);
}

}  // namespace
}  // namespace postage
