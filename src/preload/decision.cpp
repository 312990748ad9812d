#include "preload/decision.hpp"

#include <postage/shm/direct_group.hpp>

namespace postage::preload {
namespace {

bool has_unequal_sizes(Entry entry) {
  return entry == Entry::kGatherv || entry == Entry::kScatterv || entry == Entry::kAllgatherv ||
         entry == Entry::kAlltoallv;
}

/// What ranks tell one another of their blocks must fit into a slot.
constexpr std::int32_t kMostRanks = 1024;

/// Without single copy, data go through slots in pieces, whose number all ranks must know.
bool is_possible(const DecisionQuestion& question) {
  return question.ranks <= kMostRanks && (question.single_copy || !has_unequal_sizes(question.entry));
}

}  // namespace

bool uses_direct(const DecisionQuestion& question) {
  return is_possible(question);
}

}  // namespace postage::preload
