#include <postage/base/error.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(ErrorSentences, ShowControlCharactersThatTheyQuote) {
  const std::string quoted("'a\0b\x1b[31m\x7f' is no size", 22);
  EXPECT_STREQ(UsageError(quoted).what(), "'a\\x00b\\x1b[31m\\x7f' is no size");
  EXPECT_STREQ(Error("two\nlines\tand more, ä").what(), "two\nlines\tand more, ä");
}

}  // namespace
}  // namespace postage
