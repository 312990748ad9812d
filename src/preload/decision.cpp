#include "preload/decision.hpp"

#include "preload/shim/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace postage::preload {
namespace {

bool needs_single_copy(Entry entry) {
  return entry == Entry::kGatherv || entry == Entry::kScatterv || entry == Entry::kAlltoallv;
}

/// What ranks tell one another of their blocks must fit into a slot.
constexpr std::int32_t kMostRanks = 1024;

/// Without single copy, data go through slots in pieces, whose number all ranks must know.
bool is_possible(const DecisionQuestion& question) {
  return question.ranks <= kMostRanks && (question.single_copy || !needs_single_copy(question.entry));
}

constexpr Bytes kAny = std::numeric_limits<Bytes>::max();

/// Sizes from which a collective is left to the library, and below which it is.
struct Exception {
  std::string_view library;
  Entry entry;
  Bytes from;
  Bytes to;
};

/// Measured at two ranks on two cores (scripts/preload_speedups): where the library's own is as fast, or faster. Open
/// MPI sends short messages one way through a mailbox for each pair, which nothing beats where no rank has to wait.
constexpr Exception kExceptions[] = {
    {"openmpi", Entry::kReduce, 0, 512},   {"openmpi", Entry::kGather, 0, 512},    {"openmpi", Entry::kScatter, 0, 512},
    {"openmpi", Entry::kGatherv, 0, kAny}, {"openmpi", Entry::kScatterv, 0, kAny}, {"openmpi", Entry::kScan, 0, 512},
    {"openmpi", Entry::kExscan, 0, 512},
};

bool is_exception(const DecisionQuestion& question) {
  static const std::string_view library = library_name();
  return std::any_of(std::begin(kExceptions), std::end(kExceptions), [&](const Exception& row) {
    return row.entry == question.entry && row.library == library && question.bytes >= row.from &&
           question.bytes < row.to;
  });
}

bool replaces_always() {
  const char* const wanted = std::getenv("POSTAGE_PRELOAD");
  return wanted != nullptr && std::string_view(wanted) == "always";
}

}  // namespace

bool uses_direct(const DecisionQuestion& question) {
  static const bool always = replaces_always();
  return is_possible(question) && (always || !is_exception(question));
}

}  // namespace postage::preload
