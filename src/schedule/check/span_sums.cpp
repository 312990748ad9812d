#include "schedule/check/span_sums.hpp"

#include <postage/schedule/patterns/modular.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace postage {
namespace {

/// Bytes before a unit that may lie beyond the end of the ring: H(unit) = turns*H(modulus) + G(unit mod modulus), where
/// G is linear between a few units.
class BytesBefore {
 public:
  BytesBefore(const BlockSpan& span, const BlockLayout& layout)
      : layout_(layout), rotation_(span.rotation), modulus_(span.modulus), doubled_(span.doubled) {
    // The last unit before which all blocks are large ones; the blocks of the next may be of both sizes.
    const Index large = layout.large_blocks();
    const Index last_large = large >= 2 * doubled_ ? large - doubled_ : large / 2;
    bends_ = {doubled_, last_large, last_large + 1, modulus_};
  }

  [[nodiscard]] Bytes at(Index unit) const {
    const Index rotated = unit + rotation_;
    const Index turns = modulus_ == 0 ? 0 : (rotated - floor_mod(rotated, modulus_)) / modulus_;
    return turns * in_first_turn(modulus_) + in_first_turn(rotated - turns * modulus_);
  }

  /// The sum over a progression that does not descend.
  [[nodiscard]] Bytes sum(Progression units) const {
    Bytes bytes = 0;
    while (units.count > 0) {
      const Index linear = units.step == 0 ? units.count : std::min(units.count, until_bend(units) + 1);
      const Index last = units.first + (linear - 1) * units.step;
      bytes += linear * (at(units.first) + at(last)) / 2;
      units = {last + units.step, units.step, units.count - linear};
    }
    return bytes;
  }

 private:
  [[nodiscard]] Bytes in_first_turn(Index unit) const { return layout_.offset(unit + std::min(unit, doubled_)); }

  /// Steps that lead from the progression's first unit to no further than the next bend.
  [[nodiscard]] Index until_bend(const Progression& units) const {
    const Index rotated = units.first + rotation_;
    const Index within = modulus_ == 0 ? rotated : floor_mod(rotated, modulus_);
    Index room = std::numeric_limits<Index>::max();
    for (const Index bend : bends_) {
      room = bend > within ? std::min(room, bend - within) : room;
    }
    return std::min(room / units.step, units.count);
  }

  const BlockLayout& layout_;
  Index rotation_;
  Index modulus_;
  Index doubled_;
  std::array<Index, 4> bends_{};
};

/// How many of an ascending progression are not above `most`.
Index count_up_to(const Progression& p, Index most) {
  if (p.first > most) {
    return 0;
  }
  return p.step == 0 ? p.count : std::min(p.count, (most - p.first) / p.step + 1);
}

/// Ascending, aligned starts in a layout that has a formula.
Bytes sum_aligned(const BlockSpan& span, const BytesBefore& before, Progression starts) {
  Index whole = starts.count;
  Bytes cut_ends = 0;
  if (span.limit != 0) {
    whole = count_up_to(starts, span.limit - span.count);
    starts.count = count_up_to(starts, span.limit - 1);
    cut_ends = (starts.count - whole) * before.at(span.limit);
  }
  return before.sum({starts.first + span.count, starts.step, whole}) + cut_ends - before.sum(starts);
}

/// Ascending starts, several of which may be aligned to one: those of the first tile, of whole tiles, and of the last.
Bytes sum_ascending(const BlockSpan& span, const BytesBefore& before, const Progression& starts) {
  if (starts.step % span.align == 0) {
    return sum_aligned(span, before, {floor_to(span.align, starts.first), starts.step, starts.count});
  }
  const Index per_tile = span.align / starts.step;
  const Index tile = floor_to(span.align, starts.first);
  const Index in_first = std::min(starts.count, (tile + span.align - starts.first - 1) / starts.step + 1);
  const Index whole = (starts.count - in_first) / per_tile;
  const Index in_last = (starts.count - in_first) % per_tile;
  return in_first * sum_aligned(span, before, {tile, 0, 1}) +
         per_tile * sum_aligned(span, before, {tile + span.align, span.align, whole}) +
         in_last * sum_aligned(span, before, {tile + (whole + 1) * span.align, 0, 1});
}

Bytes visit(const BlockSpan& span, const BlockLayout& layout, const Progression& starts) {
  BlockSpan one = span;
  one.by_source = 1;
  one.constant = one.by_target = one.by_iteration = 0;
  Bytes bytes = 0;
  for (Index i = 0; i < starts.count; ++i) {
    bytes += bytes_of(one, {.source = starts.first + i * starts.step}, layout);
  }
  return bytes;
}

}  // namespace

Bytes bytes_of_spans(const BlockSpan& span, const BlockLayout& layout, const Progression& starts) {
  if (starts.count == 0) {
    return 0;
  }
  if (starts.step < 0) {
    const Progression ascending{starts.first + (starts.count - 1) * starts.step, -starts.step, starts.count};
    return bytes_of_spans(span, layout, ascending);
  }
  const bool divides = starts.step % span.align == 0 || (starts.step != 0 && span.align % starts.step == 0);
  if (span.stride != 1 || !layout.has_formula() || !divides) {
    return visit(span, layout, starts);
  }
  if (layout.is_uniform() && layout.size(0) != 1) {
    // Sums of block counts stay smaller than sums of bytes.
    return layout.size(0) * bytes_of_spans(span, BlockLayout::uniform(layout.blocks(), 1), starts);
  }
  return sum_ascending(span, BytesBefore(span, layout), starts);
}

}  // namespace postage
