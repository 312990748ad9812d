#include <postage/base/at_once.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace postage {
namespace {

TEST(AtOnce, DoesEachPieceOfWorkOnce) {
  std::vector<int> done(1000, 0);
  run_at_once(done.size(), [&](std::size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(1000, 1));
}

TEST(AtOnce, DoesNothingWhereThereIsNothing) {
  run_at_once(0, [](std::size_t) { FAIL(); });
}

TEST(AtOnce, FailsWithTheFirstFailureWhoeverWasFaster) {
  for (int trial = 0; trial < 50; ++trial) {
    std::atomic<bool> has_failed = false;
    try {
      run_at_once(100, [&](std::size_t i) {
        if (i == 3) {
          for (int waited = 0; trial % 2 == 1 && !has_failed && waited < 1000; ++waited) {
            std::this_thread::yield();
          }
          throw std::runtime_error("3");
        }
        if (i > 3) {
          has_failed = true;
          throw std::runtime_error("later");
        }
      });
      FAIL();
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(std::string(error.what()), "3");
    }
  }
}

}  // namespace
}  // namespace postage
