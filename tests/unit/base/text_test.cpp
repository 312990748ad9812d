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

TEST(ShellWord, IsQuotedWhereAShellWouldReadItOtherwise) {
  EXPECT_EQ(shell_word("a/b-1.xml"), "a/b-1.xml");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("~x"), "'~x'");
}

}  // namespace
}  // namespace postage
