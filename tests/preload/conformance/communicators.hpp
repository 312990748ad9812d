#pragma once

#include "layout.hpp"

namespace postage {

/// The world, a copy of it, those of odd and of even ranks, the ranks in reverse order, a grid, all but the last rank,
/// and each rank alone.
class Communicators {
 public:
  Communicators();
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  [[nodiscard]] const std::vector<TestCommunicator>& all() const { return all_; }

 private:
  std::vector<TestCommunicator> all_;
};

}  // namespace postage
