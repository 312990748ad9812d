#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace postage {

/// Ranks, block numbers and their counts. Wide enough for alltoall's P*P blocks at P = 2^20.
using Index = std::int64_t;

/// rank = base + (offset + stride * v) mod ranks. A rotation by the root, a reversal (stride -1), every Q-th rank
/// (leaders), or a rotation inside a group of consecutive ranks that starts at `base`.
struct LinearNumbering {
  Index offset = 0;
  Index stride = 1;
  Index ranks = 1;
  Index base = 0;
  bool operator==(const LinearNumbering&) const = default;
};

/// The lowest `bits` bits of `value` in reverse order, 0 to 64 of them: bytes are exchanged, and in each of them
/// neighbours, then neighbouring pairs, and so on.
[[nodiscard]] constexpr Index reverse_bits(Index value, int bits) {
  if (bits == 0) {
    return 0;
  }
  constexpr std::uint64_t kLower[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f};
  std::uint64_t rest = __builtin_bswap64(static_cast<std::uint64_t>(value));
  int width = 1;
  for (const std::uint64_t lower : kLower) {
    rest = ((rest >> width) & lower) | ((rest & lower) << width);
    width *= 2;
  }
  return static_cast<Index>(rest >> (64 - bits));
}

/// The usual reduction of P = 2^k + remainder ranks to 2^k: of the first 2*remainder ranks only every second one stays
/// (the odd ones if `keep_odd`), and all others do. v < remainder -> 2v + keep_odd; else v + remainder. The outcome is
/// multiplied by `stride` (the folded ones are leaders of `stride` ranks each). Where `reversed_bits` is k > 0, the k
/// bits of v are reversed first: then recursive halving of block ranges in v is distance doubling in ranks.
struct FoldedNumbering {
  Index remainder = 0;
  bool keep_odd = true;
  Index stride = 1;
  int reversed_bits = 0;
  bool operator==(const FoldedNumbering&) const = default;
};

/// Any injection, as a table. Only for patterns that no formula describes.
struct ExplicitNumbering {
  std::shared_ptr<const std::vector<Index>> ranks;
  std::shared_ptr<const std::vector<Index>> virtuals;  ///< inverse, -1 where a rank has none
  bool operator==(const ExplicitNumbering&) const = default;
};

/// The numberings that one group of ranks may have.
using PlainNumbering = std::variant<LinearNumbering, FoldedNumbering, ExplicitNumbering>;

/// Virtual rank v of group g has the number g*kGroupWidth + v.
inline constexpr Index kGroupWidth = Index{1} << 32;

/// The same numbering inside each of `groups` groups of `members` ranks: virtual rank v of group g is its member
/// m = inner(v), which has position base + g*group_stride + m*member_stride. Nodes filled one after another have
/// group_stride Q and member_stride 1, nodes dealt round-robin have 1 and N; the leaders of all nodes are one group.
/// Positions are ranks; or the entries of `listed`, where no formula gives them. At last the ranks `swapped_a` and
/// `swapped_b` are exchanged, if those are not negative: a root leads its node instead of the usual leader.
struct GroupedNumbering {
  PlainNumbering inner;
  Index groups = 1;
  Index members = 1;
  Index base = 0;
  Index group_stride = 0;
  Index member_stride = 1;
  Index swapped_a = -1;
  Index swapped_b = -1;
  ExplicitNumbering listed{};
  bool operator==(const GroupedNumbering&) const = default;
};

/// Maps the virtual ranks 0..N-1 in which an algorithm is written to ranks of the communicator.
using Numbering = std::variant<LinearNumbering, FoldedNumbering, ExplicitNumbering, GroupedNumbering>;

[[nodiscard]] ExplicitNumbering explicit_numbering(std::vector<Index> ranks, Index communicator_size);

/// O(1). Requires that `virtual_rank` is one that the pattern uses.
[[nodiscard]] Index rank_of(const Numbering& numbering, Index virtual_rank);

/// The inverse, O(1); nothing where no virtual rank maps to `rank`. For a strided numbering the answer is the virtual
/// rank in [0, ranks) whose image is `rank`.
[[nodiscard]] std::optional<Index> virtual_of(const Numbering& numbering, Index rank);

}  // namespace postage
