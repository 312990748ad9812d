#pragma once

#include "calls.hpp"
#include "types.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace postage {

struct TestCommunicator {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;  ///< null on ranks that are not in it

  [[nodiscard]] int rank() const;
  [[nodiscard]] int size() const;
};

/// One call, to be made by the program's names and by the profiling interface's.
struct Case {
  Call call = Call::kBarrier;
  const TestCommunicator* communicator = nullptr;
  TestType type{};
  std::optional<TestOperation> operation{};
  int count = 0;
  int root = 0;
  bool in_place = false;
  /// Odd ranks send and receive arrays of the basic type instead, where there is one: type signatures must agree, types
  /// need not.
  bool mixed = false;
  std::uint64_t seed = 0;
};

/// What this rank sends and receives in a case, by MPI's rules, in elements of the case's type.
struct Layout {
  Part sent{};
  Part received{};
  bool reads_send = true;     ///< the send arguments are significant on this rank, and not MPI_IN_PLACE
  bool reads_receive = true;  ///< the same of the receive arguments
  bool send_in_place = false;
  bool receive_in_place = false;

  /// Elements that each buffer has.
  [[nodiscard]] int send_elements() const { return reads_send ? sent.end() : 0; }
  [[nodiscard]] int receive_elements() const;
};

[[nodiscard]] Layout layout_of(const Case& test);

}  // namespace postage
