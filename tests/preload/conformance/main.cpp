// Every collective by the program's names against the library's own (PMPI): preloaded or not, both must agree.
//   conformance [EVERY [OFFSET]]   every so-many-th case, as a hash of its number has it; all of them by default
//   conformance random SEED CALLS  so many calls in a row, on several communicators, before any is checked
#include "cases.hpp"
#include "communicators.hpp"
#include "intercommunicators.hpp"
#include "invalid_calls.hpp"
#include "large_counts.hpp"
#include "mistakes.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <deque>

namespace postage {
namespace {

constexpr int kCallsInARow = 40;

std::uint64_t hashed(std::uint64_t number) {
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
  return number ^ (number >> 31U);
}

bool is_made(const Case& test) {
  return test.communicator->comm != MPI_COMM_NULL && !fails_in_library(test);
}

void check_case(const Case& test, Mistakes& mistakes) {
  TwoCalls calls(test);
  calls.make(Names::kProgram);
  calls.make(Names::kProfiling);
  mistakes.note(text_of(test), calls.find_mistake());
}

int check_cases(const Communicators& communicators, std::uint64_t every, std::uint64_t offset, Mistakes& mistakes) {
  int checked = 0;
  for_each_case(communicators.all(), [&](const Case& test) {
    if (hashed(test.seed) % every == offset % every && is_made(test)) {
      check_case(test, mistakes);
      ++checked;
    }
  });
  return checked;
}

/// Several calls by the program's names without any of the library's between them; now and then a rank is late.
void check_row(RandomCases& cases, Random& delays, Mistakes& mistakes) {
  std::deque<TwoCalls> calls;
  std::vector<std::string> texts;
  for (int i = 0; i < kCallsInARow; ++i) {
    const Case test = cases.draw();
    if (is_made(test)) {
      calls.emplace_back(test);
      texts.push_back(text_of(test));
    }
  }
  for (TwoCalls& call : calls) {
    if (delays() % 16 == 0) {
      usleep(static_cast<useconds_t>(delays() % 500));
    }
    call.make(Names::kProgram);
  }
  for (TwoCalls& call : calls) {
    call.make(Names::kProfiling);
  }
  for (std::size_t i = 0; i < calls.size(); ++i) {
    mistakes.note(texts[i], calls[i].find_mistake());
  }
}

int check_random(const Communicators& communicators, std::uint64_t seed, int count, Mistakes& mistakes) {
  RandomCases cases(communicators.all(), seed);
  Random delays(seed + static_cast<std::uint64_t>(communicators.all().front().rank()));
  for (int i = 0; i < count; i += kCallsInARow) {
    check_row(cases, delays, mistakes);
  }
  return count;
}

int run(int argc, char** argv) {
  Mistakes mistakes;
  const Communicators communicators;
  const auto number = [&](int i, std::uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  int checked = 0;
  if (argc > 1 && std::strcmp(argv[1], "random") == 0) {
    checked = check_random(communicators, number(2, 1), static_cast<int>(number(3, 1000)), mistakes);
  } else {
    checked = check_cases(communicators, number(1, 1), number(2, 0), mistakes);
    check_intercommunicators(mistakes);
    check_invalid_calls(mistakes);
    check_large_counts(mistakes);
  }
  mistakes.note("user's operations", foreign_datatypes() > 0
                                         ? std::optional<std::string>("were given another datatype than the call's")
                                         : std::nullopt);
  return mistakes.report(checked);
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = postage::run(argc, argv);
  MPI_Finalize();
  return status;
}
