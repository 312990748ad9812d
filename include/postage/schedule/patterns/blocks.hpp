#pragma once

#include <postage/base/units.hpp>
#include <postage/schedule/patterns/numbering.hpp>

#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace postage {

/// How many bytes each block of a collective has, and where they lie when all blocks stand one after another.
/// All answers are O(1).
class BlockLayout {
 public:
  BlockLayout() = default;
  /// `blocks` blocks of `bytes` each (allgather's contributions).
  [[nodiscard]] static BlockLayout uniform(Index blocks, Bytes bytes, Bytes element_bytes = 1);
  /// `elements` elements of `element_bytes`, dealt to `blocks` blocks as evenly as whole elements allow, larger
  /// blocks first (a vector cut for scatter + allgather).
  [[nodiscard]] static BlockLayout split(Index blocks, Index elements, Bytes element_bytes);
  /// The first `large_blocks` blocks have `large` bytes, the others `small` <= large.
  [[nodiscard]] static BlockLayout two_sizes(Index blocks, Index large_blocks, Bytes large, Bytes small);
  /// The v-variants: block i has `bytes[i]`.
  [[nodiscard]] static BlockLayout explicit_sizes(const std::vector<Bytes>& bytes, Bytes element_bytes = 1);

  [[nodiscard]] Index blocks() const { return blocks_; }
  /// Start of block i; offset(blocks()) is the total.
  [[nodiscard]] Bytes offset(Index block) const;
  [[nodiscard]] Bytes size(Index block) const { return offset(block + 1) - offset(block); }
  [[nodiscard]] Bytes total() const { return offset(blocks_); }
  /// True where every block has the same size: then counting blocks counts bytes.
  [[nodiscard]] bool is_uniform() const { return !offsets_ && large_blocks_ == 0; }
  /// True for `uniform` and `split`: then block 0 is a largest one.
  [[nodiscard]] bool has_formula() const { return offsets_ == nullptr; }
  /// Of a layout with a formula: the first so many blocks have one element more than the others.
  [[nodiscard]] Index large_blocks() const { return large_blocks_; }
  /// Cuts at multiples of this many bytes keep elements whole.
  [[nodiscard]] Bytes element_bytes() const { return element_bytes_; }
  bool operator==(const BlockLayout&) const;

 private:
  Index blocks_ = 0;
  Bytes small_bytes_ = 0;
  Index large_blocks_ = 0;  ///< the first so many blocks have element_bytes_ more
  Bytes element_bytes_ = 1;
  std::shared_ptr<const std::vector<Bytes>> offsets_;
};

/// A run of consecutive blocks.
struct BlockRun {
  Index first = 0;
  Index count = 0;
  bool operator==(const BlockRun&) const = default;
};

/// What one transfer is, for a selector: virtual source and target, and the iteration of the stage.
struct TransferPosition {
  Index source = 0;
  Index target = 0;
  Index iteration = 0;
};

/// Blocks floor_to(align, constant + by_source*source + by_target*target + by_iteration*iteration) and the
/// `count - 1` after it, `stride` apart; cut off at `limit` blocks where that is not 0; then turned by `rotation` and
/// wrapped at `modulus` where that is not 0. One form for a ring's block, a sub-tree's range, recursive doubling's
/// aligned range and a pairwise exchange's single block. Where ranks are folded (FoldedNumbering), all this counts
/// units, of which the first `doubled` stand for two blocks each: unit u is the blocks from u + min(u, doubled) to
/// before those of unit u + 1.
struct BlockSpan {
  Index constant = 0;
  Index by_source = 0;
  Index by_target = 0;
  Index by_iteration = 0;
  Index align = 1;
  Index count = 1;
  Index stride = 1;
  Index limit = 0;
  Index rotation = 0;
  Index modulus = 0;
  Index doubled = 0;
  bool operator==(const BlockSpan&) const = default;
};

/// Nothing but the message itself: a barrier's token, which tells all arrivals that its sender knows of.
struct Token {
  bool operator==(const Token&) const = default;
};

/// A listed set of blocks, in the order given, the same for every pair of the pattern.
struct ExplicitBlocks {
  std::shared_ptr<const std::vector<BlockRun>> runs;
  bool operator==(const ExplicitBlocks&) const = default;
};

/// What Bruck's alltoall passes on over a distance of d*weight: of the blocks origin*ranks + destination that lie at
/// the source, those whose distance, destination - origin mod ranks, has the digit d (to the base `radix`) of that
/// `weight`. Their lower digits have brought them to the source: origin = source - distance % weight.
struct DigitBlocks {
  Index ranks = 1;
  Index weight = 1;
  Index radix = 2;
  bool operator==(const DigitBlocks&) const = default;
};

/// The selectors that one group of ranks may have.
using PlainSelector = std::variant<Token, BlockSpan, ExplicitBlocks, DigitBlocks>;

/// What a block b of an algorithm that runs inside a group g stands for in the whole: positions
/// base + g*group_stride + b*block_stride and the `count - 1` after it, `stride` apart, those from `limit` on left out
/// where that is not 0; or the positions starts[b] to starts[b+1] - 1. A position is a member's number; or what
/// `members` lists there.
struct BlockExpansion {
  Index base = 0;
  Index group_stride = 0;
  Index block_stride = 1;
  Index count = 1;
  Index stride = 1;
  Index limit = 0;
  std::shared_ptr<const std::vector<Index>> starts{};
  std::shared_ptr<const std::vector<Index>> members{};
};

/// The blocks of the whole that a member m stands for: block m itself, or in an all-to-all (block source*P +
/// destination) all that m sends, all that m receives; or, where the algorithm's own blocks are pairs a*N + b, all that
/// members of a send to members of b.
enum class MemberBlocks { kOwn, kSent, kReceived, kBetween };

/// `inner` selects blocks of an algorithm that runs inside groups of ranks (GroupedNumbering), or among their leaders.
struct GroupedBlocks {
  PlainSelector inner;
  /// Shared by the patterns of a stage.
  std::shared_ptr<const BlockExpansion> expansion;
  MemberBlocks stand_for = MemberBlocks::kOwn;
  /// P of an all-to-all.
  Index ranks = 0;
  /// N of an all-to-all between groups.
  Index groups = 0;
  /// Numbers of blocks that the inner blocks stand for, as sizes: what makes counting O(1). None if there is no
  /// formula.
  BlockLayout weights{};
};

using BlockSelector = std::variant<Token, BlockSpan, ExplicitBlocks, DigitBlocks, GroupedBlocks>;

/// Calls `visit` with each run of consecutive blocks that the transfer carries, in sending order.
void for_each_run(const BlockSelector& selector, const TransferPosition& position,
                  const std::function<void(BlockRun)>& visit);

/// The runs as a list.
[[nodiscard]] std::vector<BlockRun> runs_of(const BlockSelector& selector, const TransferPosition& position);

/// Number of blocks, O(1) for all but explicit lists, folded strided spans, and groups without weights.
[[nodiscard]] Index block_count(const BlockSelector& selector, const TransferPosition& position);

/// Bytes on the wire. O(1) for contiguous spans and for uniform layouts, O(runs) otherwise.
[[nodiscard]] Bytes bytes_of(const BlockSelector& selector, const TransferPosition& position,
                             const BlockLayout& layout);

}  // namespace postage
