#include "estimate/flow/short_lines.hpp"

#include <gtest/gtest.h>

namespace postage {
namespace {

/// What SimGrid's factors make of a message's time: from 65471 bytes on its latency is more, and its rate another.
Seconds time_of(Bytes bytes) {
  return bytes < 65471 ? 18.8e-6 + 3.31e-10 * static_cast<double>(bytes)
                       : 62.76e-6 + 2.34e-10 * static_cast<double>(bytes);
}

std::vector<CurvePoint> points_at(std::initializer_list<Bytes> sizes) {
  std::vector<CurvePoint> points;
  for (const Bytes bytes : sizes) {
    points.push_back({bytes, time_of(bytes)});
  }
  return points;
}

/// A line of three points would have to begin at 65407, before the leap.
TEST(ShortLines, LeaveToTheLineBeforeWhatItMeets) {
  const std::vector<CurvePoint> points = points_at({32768, 40960, 49152, 57344, 65407, 65471, 65535});
  std::vector<LinePiece> lines{fit_line(std::span(points).first(4)), fit_line(std::span(points).last(3))};
  ASSERT_EQ(lines[1].from_bytes, 65407);
  mend_short_lines(points, lines);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[1].from_bytes, 65471);
  EXPECT_NEAR(lines[1].slope.value, 2.34e-10, 1e-13);
  EXPECT_NEAR(lines[1].intercept.value, 62.76e-6, 1e-8);
  EXPECT_NEAR(lines[0].slope.value, 3.31e-10, 1e-13);
}

TEST(ShortLines, LeaveToTheLineAfterWhatItMeets) {
  const std::vector<CurvePoint> points = points_at({65400, 65407, 65471, 65535, 70000, 90000});
  std::vector<LinePiece> lines{fit_line(std::span(points).first(3)), fit_line(std::span(points).last(3))};
  mend_short_lines(points, lines);
  EXPECT_EQ(lines[1].from_bytes, 65471);
  EXPECT_NEAR(lines[0].slope.value, 3.31e-10, 1e-13);
}

/// Of the three points, the last is missed by less than 1 %, but met by the line after: two make the line before.
TEST(ShortLines, LeaveToTheLineAfterWhatItMeetsMuchBetter) {
  const auto before = [](Bytes bytes) { return 0.874e-6 + 1.165e-10 * static_cast<double>(bytes); };
  const auto after = [](Bytes bytes) { return 2.9123e-6 + 8.6426e-11 * static_cast<double>(bytes); };
  const std::vector<CurvePoint> points = {{16384, before(16384)}, {32768, before(32768)}, {65536, after(65536)},
                                          {66560, after(66560)},  {73728, after(73728)},  {131072, after(131072)}};
  std::vector<LinePiece> lines{fit_line(std::span(points).first(3)), fit_line(std::span(points).last(3))};
  mend_short_lines(points, lines);
  EXPECT_EQ(lines[1].from_bytes, 65536);
  EXPECT_NEAR(lines[0].slope.value, 1.165e-10, 1e-15);
}

/// A line stays whose points no neighbour meets, and so does one that would keep a single point.
TEST(ShortLines, StayWhereTheyMissLittleOrWouldLoseTheirRate) {
  std::vector<CurvePoint> points = points_at({1024, 2048, 4096, 8192, 16384});
  points[4].seconds *= 1.03;
  std::vector<LinePiece> lines{fit_line(std::span(points).first(2)), fit_line(std::span(points).last(3))};
  const Estimate slope = lines[1].slope;
  mend_short_lines(points, lines);
  EXPECT_EQ(lines[1].from_bytes, 4096);
  EXPECT_EQ(lines[1].slope.value, slope.value);
  points = points_at({49152, 57344, 65399, 65407, 65471});
  lines = {fit_line(std::span(points).first(2)), fit_line(std::span(points).last(3))};
  mend_short_lines(points, lines);
  EXPECT_EQ(lines[1].from_bytes, 65399);
}

}  // namespace
}  // namespace postage
