#include "papers/ali/missing_terms.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace postage::ali_paper {
namespace {

bool is_power_of_two(Rank ranks) {
  return std::has_single_bit(static_cast<unsigned>(ranks));
}

std::string of_barrier(const StudyPoint& point) {
  const bool two_chips = point.ranks > kSpesOfChip;
  if (point.formula->algorithm == "recursive-doubling" && !is_power_of_two(point.ranks)) {
    return two_chips ? "the first and the last round both cross; the table has one L_2(1)"
                     : "the last L(1) overlaps the rounds before where few ranks are left over";
  }
  if (point.formula->algorithm == "dissemination" && two_chips) {
    return "max{L_1(1), L_2(1)} in each round; a chain of signals from rank to rank crosses twice at most";
  }
  if (point.formula->algorithm == "tree" && !is_power_of_two(point.ranks)) {
    return "a tree that is not full has no chain of ceil(log2 p) messages, or none that also crosses";
  }
  if (point.formula->algorithm == "linear") {
    return two_chips ? "2 L_1(1): the root's own chip is served while the other's signals cross"
                     : "g(1), by gets, is shorter than the cycles in which the root issues a put";
  }
  return "";
}

/// Each rank sends and receives in the same round.
bool exchanges(const StudyPoint& point) {
  constexpr std::array<std::string_view, 2> kExchanging{"recursive-doubling", "reduce-scatter-rd-allgather"};
  return std::find(kExchanging.begin(), kExchanging.end(), point.formula->algorithm) != kExchanging.end();
}

}  // namespace

std::string missing_term(const StudyPoint& point) {
  if (point.formula->collective == "barrier") {
    return of_barrier(point);
  }
  if (point.formula->algorithm == "linear" && point.ranks > kSpesOfChip) {
    return "L_1(m) + L_1(1): the root's own chip is served while the other's messages cross";
  }
  if (point.formula->collective == "allreduce" && point.formula->algorithm == "recursive-doubling") {
    return "2 L(1) a round, where section 4 and the butterfly have one";
  }
  if (exchanges(point)) {
    return "L(m) is half a roundtrip of one message; here every SPU issues and awaits two at a time";
  }
  return "";
}

}  // namespace postage::ali_paper
