#include <postage/base/error.hpp>
#include <postage/base/units.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(ParseBytes, ReadsBinaryAndDecimalPrefixes) {
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("64K"), 65536);
  EXPECT_EQ(parse_bytes("64KiB"), 65536);
  EXPECT_EQ(parse_bytes("64kB"), 64000);
  EXPECT_EQ(parse_bytes("1.5M"), 1572864);
  EXPECT_EQ(parse_bytes("2G"), Bytes{2} << 30);
}

TEST(ParseBytes, RefusesWhatIsNotWholeBytes) {
  for (const char* text : {"", "K", "-1", "1.5", "64Q", "64 K", "nan", "inf", "1e30", "0x10", "8K8"}) {
    EXPECT_THROW(static_cast<void>(parse_bytes(text)), UsageError) << text;
  }
}

TEST(ParseSizes, ReadsListsAndRanges) {
  EXPECT_EQ(parse_sizes("8,1K"), (std::vector<Bytes>{8, 1024}));
  EXPECT_EQ(parse_sizes("1K:8K:x2"), (std::vector<Bytes>{1024, 2048, 4096, 8192}));
  EXPECT_EQ(parse_sizes("1:10:x3"), (std::vector<Bytes>{1, 3, 9}));
  EXPECT_EQ(parse_sizes("0:2K:+1K,7"), (std::vector<Bytes>{0, 1024, 2048, 7}));
  EXPECT_EQ(parse_sizes("4:4"), (std::vector<Bytes>{4}));
}

TEST(ParseSizes, RefusesRangesThatDoNotEnd) {
  for (const char* text : {"0:8:x2", "8:1:x2", "1:8:x1", "1:8:+0", "1:8:2", "1:8:x", "1:2:3:4", "", "1:1T:+1"}) {
    EXPECT_THROW(static_cast<void>(parse_sizes(text)), UsageError) << text;
  }
}

TEST(ParseSeconds, GivesTheNearestDouble) {
  EXPECT_EQ(parse_seconds("5us"), 5e-6);
  EXPECT_EQ(parse_seconds("1ns"), 1e-9);
  EXPECT_EQ(parse_seconds("1.5ms"), 1.5e-3);
  EXPECT_EQ(parse_seconds("2"), 2.0);
  EXPECT_EQ(parse_seconds("3min"), 180.0);
  EXPECT_THROW(static_cast<void>(parse_seconds("5 us")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_seconds("us")), UsageError);
}

TEST(ParseRate, ReadsBytesPerSecond) {
  EXPECT_EQ(parse_rate("100MB/s"), 1e8);
  EXPECT_EQ(parse_rate("1.5KiB/s"), 1536);
  EXPECT_EQ(parse_rate("8e9"), 8e9);
  EXPECT_THROW(static_cast<void>(parse_rate("10us")), UsageError);
  EXPECT_THROW(static_cast<void>(parse_rate("/s")), UsageError);
}

TEST(Format, ChoosesAReadablePrefix) {
  EXPECT_EQ(format_bytes(0), "0");
  EXPECT_EQ(format_bytes(65536), "64K");
  EXPECT_EQ(format_bytes(65537), "65537");
  EXPECT_EQ(format_seconds(1.23456e-5), "12.35 us");
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_rate(1.25e9), "1.25 GB/s");
}

}  // namespace
}  // namespace postage
