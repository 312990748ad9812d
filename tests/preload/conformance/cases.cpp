#include "cases.hpp"

#include <array>

namespace postage {
namespace {

/// None, one, few, some pages, more than any eager limit.
constexpr std::array kCounts{0, 1, 7, 600, 20'000};

class Enumeration {
 public:
  Enumeration(const TestCommunicator& communicator, const std::function<void(const Case&)>& visit)
      : communicator_(communicator), visit_(visit) {}

  void all(const std::vector<TestType>& types, const std::vector<TestReduction>& reductions) const {
    visit_({.call = Call::kBarrier, .communicator = &communicator_, .type = types.front()});
    for (const Call call : kMovingCalls) {
      for (const TestType& type : types) {
        each_count({.call = call, .communicator = &communicator_, .type = type});
        if (type.basics > 0) {
          each_count({.call = call, .communicator = &communicator_, .type = type, .mixed = true});
        }
      }
    }
    for (const Call call : kReducingCalls) {
      for (const auto& [type, operation] : reductions) {
        each_count({.call = call, .communicator = &communicator_, .type = type, .operation = operation});
      }
    }
  }

 private:
  void each_count(Case test) const {
    for (const int count : kCounts) {
      test.count = count;
      test.in_place = false;
      each_root(test);
      if (test.call != Call::kBcast) {
        test.in_place = true;
        each_root(test);
      }
    }
  }

  /// The first and the last rank; on ranks that are not in the communicator, the last is of no matter.
  void each_root(Case test) const {
    test.root = 0;
    visit_(test);
    if (has_root(test.call)) {
      test.root = communicator_.comm == MPI_COMM_NULL ? 0 : communicator_.size() - 1;
      visit_(test);
    }
  }

  const TestCommunicator& communicator_;
  const std::function<void(const Case&)>& visit_;
};

}  // namespace

void for_each_case(const std::vector<TestCommunicator>& communicators, const std::function<void(const Case&)>& visit) {
  const std::vector<TestType> types = moved_types();
  const std::vector<TestReduction> operations = reductions();
  std::uint64_t seed = 0;
  const auto seeded = [&](Case test) {
    test.seed = ++seed;
    visit(test);
  };
  for (const TestCommunicator& communicator : communicators) {
    Enumeration(communicator, seeded).all(types, operations);
  }
}

RandomCases::RandomCases(const std::vector<TestCommunicator>& communicators, std::uint64_t seed)
    : communicators_(communicators), types_(moved_types()), reductions_(reductions()), random_(seed) {}

Case RandomCases::draw() {
  Case test{.communicator = &communicators_[below(communicators_.size())]};
  const std::size_t call = below(1 + kMovingCalls.size() + kReducingCalls.size());
  const std::size_t type = below(types_.size());
  const std::size_t reduction = below(reductions_.size());
  const std::size_t root = below(1'000'000);
  test.count = static_cast<int>(below(kCounts[1 + below(kCounts.size() - 1)]));
  test.in_place = below(3) == 0;
  test.mixed = below(3) == 0;
  test.seed = random_();
  test.type = types_[type];
  if (call >= 1 && call <= kMovingCalls.size()) {
    test.call = kMovingCalls[call - 1];
  } else if (call > kMovingCalls.size()) {
    test.call = kReducingCalls[call - 1 - kMovingCalls.size()];
    test.type = reductions_[reduction].type;
    test.operation = reductions_[reduction].operation;
  }
  if (test.communicator->comm != MPI_COMM_NULL) {
    test.root = static_cast<int>(root % static_cast<std::size_t>(test.communicator->size()));
  }
  test.in_place = test.in_place && test.call != Call::kBcast && test.call != Call::kBarrier;
  return test;
}

}  // namespace postage
