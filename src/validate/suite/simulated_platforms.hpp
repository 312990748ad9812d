#pragma once

#include <postage/validate/suite.hpp>

#include <chrono>
#include <string_view>

namespace postage {

/// Tells how far the suite is, with the seconds since its start.
class SuiteLog {
 public:
  explicit SuiteLog(const SuitePlan& plan) : plan_(plan) {}
  void tell(std::string_view what) const;

 private:
  const SuitePlan& plan_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the plan's platforms, which are all simulated: several at a time, those that take longest first; the report has
/// them in the suite's order. Writes what is there after each.
void add_simulated(const SuitePlan& plan, const SuiteLog& log, AccuracyReport& report);

}  // namespace postage
