#include <postage/model/curve.hpp>

#include <gtest/gtest.h>

namespace postage {
namespace {

TEST(CostCurve, IsLinearBetweenItsPointsAndFlatBelow) {
  const CostCurve curve({{10, 1}, {20, 3}, {40, 4}});
  EXPECT_EQ(curve.at(0), 1);
  EXPECT_EQ(curve.at(10), 1);
  EXPECT_EQ(curve.at(15), 2);
  EXPECT_EQ(curve.at(20), 3);
  EXPECT_EQ(curve.at(30), 3.5);
  EXPECT_EQ(curve.at(40), 4);
}

TEST(CostCurve, GoesOnAlongItsLastPieceButNeverFallsThere) {
  EXPECT_EQ(CostCurve({{0, 1}, {10, 2}}).at(30), 4);
  EXPECT_EQ(CostCurve({{0, 5}, {10, 2}}).at(30), 2);
  EXPECT_EQ(CostCurve({{7, 2}}).at(30), 2);
  EXPECT_EQ(CostCurve::constant(3).at(1e9), 3);
  EXPECT_EQ(CostCurve().at(5), 0);
}

TEST(CostSurface, IsLinearInBoth) {
  const CostSurface surface({{1, CostCurve({{0, 1}, {10, 2}})}, {3, CostCurve({{0, 3}, {20, 7}})}});
  EXPECT_EQ(surface.at(10, 1), 2);
  EXPECT_EQ(surface.at(10, 3), 5);
  EXPECT_EQ(surface.at(10, 2), 3.5);
  EXPECT_EQ(surface.at(10, 5), 8);    // along the last rows' line
  EXPECT_EQ(surface.at(10, 0.5), 2);  // below the first row
}

TEST(CostSurface, DoesNotFallBeyondItsRows) {
  EXPECT_EQ(CostSurface({{1, CostCurve::constant(4)}, {2, CostCurve::constant(3)}}).at(0, 9), 3);
  EXPECT_EQ(CostSurface({{2, CostCurve::constant(4)}}).at(0, 9), 4);
  EXPECT_EQ(CostSurface().at(1, 1), 0);
}

}  // namespace
}  // namespace postage
