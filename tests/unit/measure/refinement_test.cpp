#include "measure/campaign/refinement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>

namespace postage {
namespace {

/// The sizes at which a curve is measured in the end.
std::vector<Bytes> refined(std::vector<Bytes> sizes, Refine rule, const std::function<double(Bytes)>& time,
                           double half_width = 0) {
  for (int i = 0; i < 200; ++i) {
    std::vector<SizedTime> points;
    for (const Bytes bytes : sizes) {
      points.push_back({bytes, time(bytes), half_width * time(bytes)});
    }
    const auto next = next_size(points, rule);
    if (!next) {
      return sizes;
    }
    sizes.insert(std::upper_bound(sizes.begin(), sizes.end(), *next), *next);
  }
  ADD_FAILURE() << "never ends";
  return sizes;
}

const std::vector<Bytes> kSizes{0, 1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};

TEST(NextSize, IsNoneOnALine) {
  const auto line = [](Bytes bytes) { return 1e-5 + 1e-9 * static_cast<double>(bytes); };
  EXPECT_EQ(refined(kSizes, Refine::kWhereExtrapolationMisses, line), kSizes);
  EXPECT_EQ(refined(kSizes, Refine::kNever, line), kSizes);
}

TEST(NextSize, ClosesInOnABend) {
  const auto bent = [](Bytes bytes) {
    const auto m = static_cast<double>(bytes);
    return 1e-6 + 1e-9 * m + std::max(m - 6000, 0.0) * 5e-9;
  };
  const std::vector<Bytes> sizes = refined(kSizes, Refine::kWhereExtrapolationMisses, bent);
  const auto above = std::upper_bound(sizes.begin(), sizes.end(), 6000);
  EXPECT_LT(*above - *(above - 1), 1500) << "the bend is known closely";
  EXPECT_LT(sizes.size(), kSizes.size() + 16);
}

TEST(NextSize, ClosesInOnAJump) {
  const auto jump = [](Bytes bytes) { return bytes < 5000 ? 1e-6 : 4e-6; };
  const std::vector<Bytes> sizes = refined(kSizes, Refine::kWhereExtrapolationMisses, jump);
  const auto above = std::upper_bound(sizes.begin(), sizes.end(), 4999);
  EXPECT_LE(*above - *(above - 1), 550) << "no closer than a tenth of the size";
}

TEST(NextSize, DoesNotChaseNoise) {
  // Every other size 8 % off, but known no better than that.
  const auto noisy = [](Bytes bytes) {
    return (1e-5 + 1e-9 * static_cast<double>(bytes)) *
           (std::countr_zero(static_cast<std::uint64_t>(bytes)) % 4 == 0 ? 1.08 : 1.0);
  };
  EXPECT_EQ(refined(kSizes, Refine::kWhereExtrapolationMisses, noisy, 0.08), kSizes);
  EXPECT_GT(refined(kSizes, Refine::kWhereExtrapolationMisses, noisy, 0.001).size(), kSizes.size());
}

TEST(NextSize, FindsALeapToTheByte) {
  const auto escalating = [](Bytes bytes) { return bytes < 4321 ? 1e-4 : 2e-1; };
  const std::vector<Bytes> sizes = refined({0, 2048, 4096, 6144, 8192}, Refine::kWhereItLeaps, escalating);
  EXPECT_TRUE(std::binary_search(sizes.begin(), sizes.end(), 4320));
  EXPECT_TRUE(std::binary_search(sizes.begin(), sizes.end(), 4321));
  EXPECT_LE(sizes.size(), 5U + 11U);
}

TEST(NextSize, FindsTheEndOfALeapToTheByte) {
  const auto escalating = [](Bytes bytes) { return bytes < 4321 || bytes > 6789 ? 1e-4 : 2e-1; };
  const std::vector<Bytes> sizes = refined({0, 2048, 4096, 6144, 8192}, Refine::kWhereItLeaps, escalating);
  for (const Bytes end : {4320, 4321, 6789, 6790}) {
    EXPECT_TRUE(std::binary_search(sizes.begin(), sizes.end(), end)) << end;
  }
}

TEST(NextSize, FindsAStepBesideAPowerOfTwoToTheByte) {
  const auto eager_up_to_8192 = [](Bytes bytes) { return bytes <= 8192 ? 2.7e-6 : 9.6e-6; };
  const std::vector<Bytes> around{4032, 4096, 4160, 8128, 8192, 8256, 16320};
  const std::vector<Bytes> sizes = refined(around, Refine::kWhereItSteps, eager_up_to_8192);
  EXPECT_TRUE(std::binary_search(sizes.begin(), sizes.end(), 8193));
  EXPECT_EQ(sizes.size(), around.size() + 6U) << "64 bytes, halved six times";
  EXPECT_EQ(refined(around, Refine::kWhereItSteps, eager_up_to_8192, 2), around) << "known no better than that";
}

TEST(NextSize, FindsNoStepBetweenSizesThatAreApartOrTakeNearlyTheSame) {
  const auto growing = [](Bytes bytes) { return 1e-9 * static_cast<double>(bytes) * (bytes > 4096 ? 1.25 : 1); };
  const std::vector<Bytes> sizes{1024, 2048, 4096, 4160, 8192};
  EXPECT_EQ(refined(sizes, Refine::kWhereItSteps, growing), sizes);
}

}  // namespace
}  // namespace postage
