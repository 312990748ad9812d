#pragma once

#include "layout.hpp"
#include "memory.hpp"

#include <optional>
#include <string>

namespace postage {

/// "MPI_Allreduce of 17 int, sum, in place, on world"
[[nodiscard]] std::string text_of(const Case& test);

/// True for what the library itself gets wrong.
[[nodiscard]] bool fails_in_library(const Case& test);

/// The two calls of a case, on equal buffers.
class TwoCalls {
 public:
  explicit TwoCalls(const Case& test);

  /// By each of the names once, in any order, with other calls between them.
  void make(Names names);

  /// After both: nothing where return codes, receive buffers with their gaps and guards, and unchanged send buffers
  /// agree; where all ranks get the result of a reduction, also that it is the same bit by bit on all of them (a
  /// collective call). Otherwise what is wrong on this rank.
  ///
  /// Sums and products of floating-point numbers may be rounded differently: operands are of size at most 1, and
  /// results may differ by 2 (P-1) epsilon max(P, |result|).
  [[nodiscard]] std::optional<std::string> find_mistake() const;

 private:
  struct Buffers {
    Memory send;
    Memory receive;
  };

  [[nodiscard]] Memory memory(const Part& part, int elements, std::uint64_t stream) const;
  [[nodiscard]] Arguments arguments(Buffers& buffers) const;
  [[nodiscard]] Memory defined(Memory received) const;
  [[nodiscard]] std::optional<std::string> disagreement() const;

  Case test_;
  Layout layout_;
  Buffers untouched_;
  Buffers ours_;
  Buffers theirs_;
  int our_code_ = MPI_SUCCESS;
  int their_code_ = MPI_SUCCESS;
};

}  // namespace postage
