#pragma once

#include "case.hpp"

#include <functional>

namespace postage {

/// Every combination of call, type, operation, count, root and MPI_IN_PLACE on every communicator; the same order on
/// all ranks. On ranks that are not in a case's communicator, its `comm` is null.
void for_each_case(const std::vector<TestCommunicator>& communicators, const std::function<void(const Case&)>& visit);

/// Draws one of the above, the same on all ranks that have drawn as often.
class RandomCases {
 public:
  RandomCases(const std::vector<TestCommunicator>& communicators, std::uint64_t seed);
  [[nodiscard]] Case draw();

 private:
  [[nodiscard]] std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_()) % end; }

  const std::vector<TestCommunicator>& communicators_;
  std::vector<TestType> types_;
  std::vector<TestReduction> reductions_;
  Random random_;
};

}  // namespace postage
