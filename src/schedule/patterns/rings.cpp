#include "schedule/patterns/rings.hpp"

namespace postage {
namespace {

/// In iteration t virtual rank v sends block v + first - t to the next.
Round pass_on(Index ranks, Index first, const Numbering& numbering, Combine combine) {
  const AffinePairs next{.count = ranks, .source_stride = 1, .target_first = 1, .target_stride = 1, .modulus = ranks};
  const BlockSpan block{.constant = first, .by_source = 1, .by_iteration = -1, .modulus = ranks};
  return {{{next, numbering, block, combine}}};
}

}  // namespace

Stage ring_allgather(Index ranks, Index first, const Numbering& numbering) {
  return {.name = "ring", .iterations = ranks - 1, .rounds = {pass_on(ranks, first, numbering, Combine::kCopy)}};
}

Stage ring_reduce_scatter(Index ranks, const Numbering& numbering) {
  return {
      .name = "reducing ring", .iterations = ranks - 1, .rounds = {pass_on(ranks, 0, numbering, Combine::kReduceLeft)}};
}

}  // namespace postage
