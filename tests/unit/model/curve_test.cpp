#include <postage/model/curve.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(Curve, IsLinearBetweenItsPointsAndFlatBelow) {
  const Curve curve({{10, 1}, {20, 3}, {40, 4}});
  EXPECT_EQ(curve.at(0), 1);
  EXPECT_EQ(curve.at(10), 1);
  EXPECT_EQ(curve.at(15), 2);
  EXPECT_EQ(curve.at(20), 3);
  EXPECT_EQ(curve.at(30), 3.5);
  EXPECT_EQ(curve.at(40), 4);
}

TEST(Curve, GoesOnAlongItsLastPieceButNeverFallsThere) {
  EXPECT_EQ(Curve({{0, 1}, {10, 2}}).at(30), 4);
  EXPECT_EQ(Curve({{0, 5}, {10, 2}}).at(30), 2);
  EXPECT_EQ(Curve({{7, 2}}).at(30), 2);
  EXPECT_EQ(Curve::constant(3).at(1e9), 3);
  EXPECT_EQ(Curve().at(5), 0);
}

TEST(Surface, IsLinearInBoth) {
  const Surface surface({{1, Curve({{0, 1}, {10, 2}})}, {3, Curve({{0, 3}, {20, 7}})}});
  EXPECT_EQ(surface.at(10, 1), 2);
  EXPECT_EQ(surface.at(10, 3), 5);
  EXPECT_EQ(surface.at(10, 2), 3.5);
  EXPECT_EQ(surface.at(10, 5), 8);    // along the last rows' line
  EXPECT_EQ(surface.at(10, 0.5), 2);  // below the first row
}

TEST(Surface, DoesNotFallBeyondItsRows) {
  EXPECT_EQ(Surface({{1, Curve::constant(4)}, {2, Curve::constant(3)}}).at(0, 9), 3);
  EXPECT_EQ(Surface({{2, Curve::constant(4)}}).at(0, 9), 4);
  EXPECT_EQ(Surface().at(1, 1), 0);
}

}  // namespace
}  // namespace postage
