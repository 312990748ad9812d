#include "schedule/mirror.hpp"

#include "schedule/modular.hpp"

namespace postage {

Mirror::Mirror(const MirrorPairs& pairs)
    : pairs_(pairs),
      units_(Index{1} << pairs.bits),
      half_(Index{1} << (pairs.bits / 2)),
      middle_(pairs.bits % 2 == 0 ? 1 : 2) {}

Index Mirror::mirror(Index unit) const {
  return reverse_bits(unit, pairs_.bits);
}

Index Mirror::kept_rank(Index unit) const {
  return rank_of(FoldedNumbering{pairs_.remainder}, unit);
}

/// `rest` is the low half and the middle bit.
Index Mirror::with_high_half(Index high, Index rest) const {
  return high * half_ * middle_ + rest;
}

Index Mirror::unit_at(Index number) const {
  const Index rest = number / (half_ - 1);
  const Index place = number % (half_ - 1);
  const Index excluded = reverse_bits(rest % half_, pairs_.bits / 2);
  return with_high_half(place < excluded ? place : place + 1, rest);
}

Index Mirror::number_of(Index unit) const {
  const Index rest = unit % (half_ * middle_);
  const Index high = unit / (half_ * middle_);
  const Index excluded = reverse_bits(rest % half_, pairs_.bits / 2);
  return rest * (half_ - 1) + (high < excluded ? high : high - 1);
}

Index Mirror::rank_of_palindrome(Index i) const {
  return kept_rank(with_high_half(reverse_bits(i % half_, pairs_.bits / 2), i));
}

Pair Mirror::pair(Index i) const {
  if (i < pairs_.remainder) {
    return {kept_rank(mirror(i)), 2 * i};
  }
  const Index unit = unit_at(i - pairs_.remainder);
  return {kept_rank(mirror(unit)), kept_rank(unit)};
}

PairIndices Mirror::pairs_from(Index rank) const {
  const auto folded = virtual_of(FoldedNumbering{pairs_.remainder}, rank);
  if (!folded) {
    return {};
  }
  const Index unit = mirror(*folded);
  const Index to_kept = unit == *folded ? 0 : 1;
  const Index to_other = unit < pairs_.remainder ? 1 : 0;
  const Index kept_index = to_kept == 0 ? 0 : pairs_.remainder + number_of(unit);
  return to_other == 0 ? PairIndices{kept_index, to_kept} : PairIndices{unit, 1 + to_kept, kept_index - unit};
}

PairIndices Mirror::pairs_to(Index rank) const {
  const auto unit = virtual_of(FoldedNumbering{pairs_.remainder}, rank);
  if (!unit) {
    return {rank / 2, 1};
  }
  return mirror(*unit) == *unit ? PairIndices{} : PairIndices{pairs_.remainder + number_of(*unit), 1};
}

}  // namespace postage
