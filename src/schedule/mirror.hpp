#pragma once

#include <postage/schedule/pairs.hpp>

namespace postage {

/// The arithmetic of MirrorPairs. The pairs to the ranks that were folded away come first, then those to the kept ranks
/// of all units that are not their own mirror images (palindromes). All answers are O(bits).
class Mirror {
 public:
  explicit Mirror(const MirrorPairs& pairs);

  [[nodiscard]] Index ranks() const { return units_ + pairs_.remainder; }
  [[nodiscard]] Index pair_count() const { return pairs_.remainder + units_ - palindromes(); }
  [[nodiscard]] Pair pair(Index i) const;
  [[nodiscard]] PairIndices pairs_from(Index rank) const;
  [[nodiscard]] PairIndices pairs_to(Index rank) const;

  [[nodiscard]] Index palindromes() const { return half_ * middle_; }
  /// The kept rank of the i-th unit that is its own mirror image.
  [[nodiscard]] Index rank_of_palindrome(Index i) const;

 private:
  [[nodiscard]] Index mirror(Index unit) const;
  [[nodiscard]] Index kept_rank(Index unit) const;
  [[nodiscard]] Index with_high_half(Index high, Index rest) const;
  /// The non-palindromes are numbered from 0: each low half and middle bit has all high halves but one.
  [[nodiscard]] Index unit_at(Index number) const;
  [[nodiscard]] Index number_of(Index unit) const;

  MirrorPairs pairs_;
  Index units_;   ///< 2^bits
  Index half_;    ///< 2^(bits/2): values of the low half and of the high half
  Index middle_;  ///< values of the bit between them: 1 where there is none
};

}  // namespace postage
