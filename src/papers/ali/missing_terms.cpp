#include "papers/ali/missing_terms.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace postage::ali_paper {
namespace {

constexpr Bytes kAcknowledgement = 16;

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

/// The formula's m where the message is a vector that is scattered first.
bool has_small_parts(const StudyPoint& point) {
  constexpr std::array<std::string_view, 4> kScattered{"reduce-scatter-gather", "reduce-scatter-rd-allgather",
                                                       "reduce-scatter-gather-bcast", "hybridB"};
  const bool scatters = std::find(kScattered.begin(), kScattered.end(), point.formula->algorithm) != kScattered.end();
  return scatters && point.bytes / point.ranks <= kAcknowledgement;
}

}  // namespace

std::string missing_term(const StudyPoint& point) {
  if (point.formula->collective == "barrier") {
    return of_barrier(point);
  }
  if (has_small_parts(point)) {
    return "L(m) of parts of up to 16 bytes is L(1), which has no address in it; gamma m leaves out the kernel's start";
  }
  if (point.formula->algorithm == "linear" && point.ranks > kSpesOfChip) {
    return "L_1(m) + L_1(1): the root's own chip is served while the other's messages cross";
  }
  if (point.formula->collective == "allreduce" && point.formula->algorithm == "recursive-doubling") {
    return "2 L(1) a round, where section 4 and the butterfly have one";
  }
  return "";
}

}  // namespace postage::ali_paper
