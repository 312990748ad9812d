#include "measure/programs/results.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>

#include <gtest/gtest.h>

#include <filesystem>

namespace postage {
namespace {

class Output : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "postage-output-test";
};

TEST_F(Output, IsCheckedWithoutWritingIt) {
  check_output((folder_ / "new" / "samples.json").string());
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "new")) << "only the folder was made";
  write_file(folder_ / "old.json", "kept");
  check_output((folder_ / "old.json").string());
  EXPECT_EQ(read_file(folder_ / "old.json"), "kept");
}

TEST_F(Output, MayBeMissingOrADevice) {
  EXPECT_NO_THROW(check_output(""));
  EXPECT_NO_THROW(check_output("/dev/stdout"));
}

TEST_F(Output, ThatCannotBeWrittenIsRefused) {
  write_file(folder_ / "file", "");
  EXPECT_THROW(check_output((folder_ / "file" / "samples.json").string()), Error) << "a file is no folder";
  EXPECT_THROW(check_output(folder_.string()), Error) << "a folder is no file";
}

}  // namespace
}  // namespace postage
