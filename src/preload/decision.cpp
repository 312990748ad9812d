#include "preload/decision.hpp"

#include <postage/shm/direct_group.hpp>

namespace postage::preload {
namespace {

/// The longest data of one rank that a collective posts.
Bytes posted_bytes(const DecisionQuestion& question) {
  const bool posts_all = question.entry == Entry::kScatter || question.entry == Entry::kAlltoall ||
                         question.entry == Entry::kReduce_scatter_block;
  return posts_all ? question.bytes * question.ranks : question.bytes;
}

bool goes_in_pieces(Entry entry) {
  return entry == Entry::kBcast || entry == Entry::kReduce || entry == Entry::kAllreduce || entry == Entry::kScan ||
         entry == Entry::kExscan;
}

bool has_unequal_sizes(Entry entry) {
  return entry == Entry::kGatherv || entry == Entry::kScatterv || entry == Entry::kAllgatherv ||
         entry == Entry::kAlltoallv || entry == Entry::kReduce_scatter;
}

bool is_possible(const DecisionQuestion& question) {
  if (question.single_copy || goes_in_pieces(question.entry)) {
    return true;
  }
  return !has_unequal_sizes(question.entry) && posted_bytes(question) <= DirectGroup::kSlotBytes;
}

}  // namespace

bool uses_direct(const DecisionQuestion& question) {
  return is_possible(question);
}

}  // namespace postage::preload
