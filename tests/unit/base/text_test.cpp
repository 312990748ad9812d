#include <postage/base/text.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

using Pieces = std::vector<std::string_view>;

TEST(SplitAt, KeepsEmptyPieces) {
  EXPECT_EQ(split_at("a,bc,d", ','), (Pieces{"a", "bc", "d"}));
  EXPECT_EQ(split_at(",a,,b,", ','), (Pieces{"", "a", "", "b", ""}));
  EXPECT_EQ(split_at("", 'x'), (Pieces{""}));
}

}  // namespace
}  // namespace postage
