#pragma once

#include <postage/validate/suite.hpp>

#include <string>
#include <vector>

namespace postage {

/// What `validate --suite` was asked for.
struct SuiteOptions {
  SuiteScale scale = SuiteScale::kFull;
  std::vector<std::string> platforms{};
  std::string output = "accuracy.json";
  std::string keep{};  ///< a folder for what the suite ran with; empty keeps nothing
  std::string page{};  ///< a folder for accuracy.md and its images; empty writes none
  std::vector<std::string> earlier{};
  bool json = false;
};

/// What `validate --suite random` was asked for.
struct RandomSuiteOptions {
  std::string seeds;
  int points = 60;
  std::string output = "accuracy.json";
  std::vector<std::string> earlier{};
  std::string keep{};
  std::string into{};  ///< a page whose section of random platforms is written anew; empty for none
  bool json = false;
};

/// Runs the suite of random platforms and prints its tables: by family, by collective, by platform.
void run_random_suite(const RandomSuiteOptions& options);

/// Runs the accuracy suite; prints its table and writes its page.
void run_suite(const SuiteOptions& options);

}  // namespace postage
