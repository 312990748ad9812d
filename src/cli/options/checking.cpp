#include "cli/options/checking.hpp"

#include <postage/base/error.hpp>

#include <utility>

namespace postage {
namespace {

constexpr int kFoundStatus = 1;
constexpr int kCouldNotCheck = 2;

}  // namespace

std::function<void()> checking(std::function<CheckResult()> check) {
  return [check = std::move(check)] {
    CheckResult result{};
    try {
      result = check();
    } catch (const Interrupted&) {
      throw;
    } catch (const std::exception& failure) {
      throw EndsWith(kCouldNotCheck, failure.what());
    }
    if (result == CheckResult::kFound) {
      throw EndsWith(kFoundStatus, "");
    }
  };
}

}  // namespace postage
