#pragma once

#include <postage/schedule/patterns/numbering_formulas.hpp>
#include <postage/schedule/patterns/pairs.hpp>

namespace postage {

/// The arithmetic of ReflectedPairs. The pairs to the ranks that were folded away come first, then those to the kept
/// ranks of all units that are not their own reflections (palindromes). All answers are O(bits).
class Reflection {
 public:
  explicit Reflection(const ReflectedPairs& pairs);

  [[nodiscard]] Index ranks() const { return units_ + pairs_.remainder; }
  [[nodiscard]] Index pair_count() const { return pairs_.remainder + units_ - palindromes(); }
  [[nodiscard]] Pair pair(Index i) const;
  [[nodiscard]] PairIndices pairs_from(Index rank) const;
  [[nodiscard]] PairIndices pairs_to(Index rank) const;
  /// The target of pair i, whose source is `rank`; the source of pair i, whose target it is.
  [[nodiscard]] Index target_of(Index i, Index rank) const;
  [[nodiscard]] Index source_of(Index i, Index rank) const;

  [[nodiscard]] Index palindromes() const { return half_ * middle_; }
  /// The kept rank of the i-th unit that is its own reflection.
  [[nodiscard]] Index rank_of_palindrome(Index i) const;

 private:
  [[nodiscard]] Index reflected(Index unit) const;
  [[nodiscard]] Index kept_rank(Index unit) const;
  [[nodiscard]] Index with_high_half(Index high, Index rest) const;
  /// The non-palindromes are numbered from 0: each low half and middle bit has all high halves but one.
  [[nodiscard]] Index unit_at(Index number) const;
  [[nodiscard]] Index number_of(Index unit) const;

  ReflectedPairs pairs_;
  Index units_;   ///< 2^bits
  Index half_;    ///< 2^(bits/2): values of the low half and of the high half
  Index middle_;  ///< values of the bit between them: 1 where there is none
};

inline Reflection::Reflection(const ReflectedPairs& pairs)
    : pairs_(pairs),
      units_(Index{1} << pairs.bits),
      half_(Index{1} << (pairs.bits / 2)),
      middle_(pairs.bits % 2 == 0 ? 1 : 2) {}

inline Index Reflection::reflected(Index unit) const {
  return reverse_bits(unit, pairs_.bits);
}

inline Index Reflection::kept_rank(Index unit) const {
  return formula::image(FoldedNumbering{pairs_.remainder}, unit);
}

/// `rest` is the low half and the middle bit.
inline Index Reflection::with_high_half(Index high, Index rest) const {
  return high * half_ * middle_ + rest;
}

inline Index Reflection::unit_at(Index number) const {
  const Index rest = number / (half_ - 1);
  const Index index = number % (half_ - 1);
  const Index excluded = reverse_bits(rest % half_, pairs_.bits / 2);
  return with_high_half(index < excluded ? index : index + 1, rest);
}

inline Index Reflection::number_of(Index unit) const {
  const Index rest = unit % (half_ * middle_);
  const Index high = unit / (half_ * middle_);
  const Index excluded = reverse_bits(rest % half_, pairs_.bits / 2);
  return rest * (half_ - 1) + (high < excluded ? high : high - 1);
}

inline Index Reflection::rank_of_palindrome(Index i) const {
  return kept_rank(with_high_half(reverse_bits(i % half_, pairs_.bits / 2), i));
}

inline Pair Reflection::pair(Index i) const {
  if (i < pairs_.remainder) {
    return {kept_rank(reflected(i)), 2 * i};
  }
  const Index unit = unit_at(i - pairs_.remainder);
  return {kept_rank(reflected(unit)), kept_rank(unit)};
}

inline PairIndices Reflection::pairs_from(Index rank) const {
  const auto folded = formula::unfold(FoldedNumbering{pairs_.remainder}, rank);
  if (!folded) {
    return {};
  }
  const Index unit = reflected(*folded);
  const Index to_kept = unit == *folded ? 0 : 1;
  const Index to_other = unit < pairs_.remainder ? 1 : 0;
  const Index kept_index = to_kept == 0 ? 0 : pairs_.remainder + number_of(unit);
  return to_other == 0 ? PairIndices{kept_index, to_kept} : PairIndices{unit, 1 + to_kept, kept_index - unit};
}

inline PairIndices Reflection::pairs_to(Index rank) const {
  const auto unit = formula::unfold(FoldedNumbering{pairs_.remainder}, rank);
  if (!unit) {
    return {rank / 2, 1};
  }
  return reflected(*unit) == *unit ? PairIndices{} : PairIndices{pairs_.remainder + number_of(*unit), 1};
}

inline Index Reflection::target_of(Index i, Index rank) const {
  return i < pairs_.remainder ? 2 * i : kept_rank(reflected(*formula::unfold(FoldedNumbering{pairs_.remainder}, rank)));
}

inline Index Reflection::source_of(Index i, Index rank) const {
  return kept_rank(reflected(i < pairs_.remainder ? i : *formula::unfold(FoldedNumbering{pairs_.remainder}, rank)));
}

}  // namespace postage
