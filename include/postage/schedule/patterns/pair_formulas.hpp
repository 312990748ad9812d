#pragma once

#include <postage/schedule/patterns/modular.hpp>
#include <postage/schedule/patterns/pairs.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>

/// What pairs.hpp answers, for each kind of pairs by itself: for loops that know the kind.
namespace postage::formula {

/// One side (sources or targets) of affine pairs.
struct AffineSide {
  Index first;
  Index stride;
  Index step;
  Index modulus;

  [[nodiscard]] Index at(Index i, Index t) const {
    const Index value = first + i * stride + t * step;
    return modulus == 0 ? value : floor_mod(value, modulus);
  }
};

inline AffineSide sources(const AffinePairs& p) {
  return {p.source_first, p.source_stride, p.source_step, p.modulus};
}
inline AffineSide targets(const AffinePairs& p) {
  return {p.target_first, p.target_stride, p.target_step, p.modulus};
}

/// The x in [0, count) with start + x*stride = value (mod modulus). Progressions never lap the ring twice.
inline std::optional<Index> solve(Index start, Index stride, Index value, Index modulus, Index count) {
  Index distance = stride > 0 ? value - start : start - value;
  const Index step = stride > 0 ? stride : -stride;
  if (modulus != 0) {
    distance = floor_mod(distance, modulus);
  }
  if (distance < 0) {
    return std::nullopt;
  }
  const auto [x, beyond] = divided(distance, step);
  return beyond == 0 && x < count ? std::optional(x) : std::nullopt;
}

/// The range that holds x alone, or nothing.
template <typename Range>
Range single(std::optional<Index> x) {
  return x ? Range{*x, 1} : Range{};
}

inline PairIndices matching(const AffineSide& side, Index count, Index v, Index t) {
  if (side.stride == 0) {
    return side.at(0, t) == v ? PairIndices{0, count} : PairIndices{};
  }
  return single<PairIndices>(solve(side.first + t * side.step, side.stride, v, side.modulus, count));
}

inline PairIndices sources_of(const AffinePairs& p, Index v, Index t) {
  return matching(sources(p), p.count, v, t);
}
inline PairIndices targets_of(const AffinePairs& p, Index v, Index t) {
  return matching(targets(p), p.count, v, t);
}

inline PairIndices sources_of(const XorPairs& p, Index v, Index /*t*/) {
  return v >= 0 && v < p.count ? PairIndices{v, 1} : PairIndices{};
}
inline PairIndices targets_of(const XorPairs& p, Index v, Index t) {
  return v >= 0 && v < p.count ? PairIndices{v ^ (p.mask + t * p.mask_step), 1} : PairIndices{};
}

inline PairIndices tiled_match(const TiledPairs& p, Index first, Index v) {
  if (v < first) {
    return {};
  }
  const auto [tile, column] = divided(v - first, p.stride);
  const Index i = tile * p.width + column;
  return column < p.width && i < p.count ? PairIndices{i, 1} : PairIndices{};
}
inline PairIndices sources_of(const TiledPairs& p, Index v, Index /*t*/) {
  return tiled_match(p, p.source_first, v);
}
inline PairIndices targets_of(const TiledPairs& p, Index v, Index /*t*/) {
  return tiled_match(p, p.target_first, v);
}

inline PairIndices sources_of(const ShiftPairs& p, Index v, Index /*t*/) {
  return v >= 0 && v < p.ranks ? PairIndices{v, p.distances, p.ranks} : PairIndices{};
}
/// Pair j*ranks + s has distance first + j*stride; the source s moves by -stride from one distance to the next and
/// passes the ring's end once at most.
inline PairIndices targets_of(const ShiftPairs& p, Index v, Index t) {
  if (v < 0 || v >= p.ranks) {
    return {};
  }
  const Index source = floor_mod(v - p.first - t * p.step, p.ranks);
  const Index room = p.stride > 0 ? source : p.ranks - 1 - source;
  return {.first = source,
          .count = p.distances,
          .stride = p.ranks - p.stride,
          .jump_at = room / std::max<Index>(std::abs(p.stride), 1) + 1,
          .jump = p.stride > 0 ? p.ranks : -p.ranks};
}

inline Pair at(const AffinePairs& p, Index i, Index t) {
  return {sources(p).at(i, t), targets(p).at(i, t)};
}
inline Pair at(const XorPairs& p, Index i, Index t) {
  return {i, i ^ (p.mask + t * p.mask_step)};
}
inline Pair at(const TiledPairs& p, Index i, Index /*t*/) {
  const Index column = i / p.width * p.stride + i % p.width;
  return {p.source_first + column, p.target_first + column};
}
inline Pair at(const ShiftPairs& p, Index i, Index t) {
  const Index source = i % p.ranks;
  return {source, floor_mod(source + p.first + i / p.ranks * p.stride + t * p.step, p.ranks)};
}

inline Index count_of(const AffinePairs& p) {
  return p.count;
}
inline Index count_of(const XorPairs& p) {
  return p.count;
}
inline Index count_of(const TiledPairs& p) {
  return p.count;
}
inline Index count_of(const ShiftPairs& p) {
  return p.ranks * p.distances;
}

// Out of line, because they are longer or rarely the inner loop: look-ups in tables, bit reversals, and groups, each of
// which asks the pairs of one group.

[[nodiscard]] PairIndices sources_of(const ReflectedPairs& p, Index v, Index t);
[[nodiscard]] PairIndices targets_of(const ReflectedPairs& p, Index v, Index t);
[[nodiscard]] Pair at(const ReflectedPairs& p, Index i, Index t);
[[nodiscard]] Index count_of(const ReflectedPairs& p);
[[nodiscard]] Index target_of(const ReflectedPairs& p, Index v, const PairIndices& from, Index k, Index t);
[[nodiscard]] Index source_of(const ReflectedPairs& p, Index v, const PairIndices& to, Index k, Index t);

[[nodiscard]] PairIndices sources_of(const ExplicitPairs& p, Index v, Index t);
[[nodiscard]] PairIndices targets_of(const ExplicitPairs& p, Index v, Index t);
[[nodiscard]] Pair at(const ExplicitPairs& p, Index i, Index t);
[[nodiscard]] Index count_of(const ExplicitPairs& p);

[[nodiscard]] Index count_of(const GroupedPairs& p);
[[nodiscard]] Pair at(const GroupedPairs& p, Index i, Index t);
[[nodiscard]] PairIndices sources_of(const GroupedPairs& p, Index v, Index t);
[[nodiscard]] PairIndices targets_of(const GroupedPairs& p, Index v, Index t);
[[nodiscard]] std::optional<Index> between(const GroupedPairs& p, Pair ends, Index t);

/// Where an end has one pair at most, that is the one or none is.
template <typename OtherPairs>
inline std::optional<Index> between(const OtherPairs& p, Pair ends, Index t) {
  const PairIndices from = sources_of(p, ends.source, t);
  const PairIndices to = targets_of(p, ends.target, t);
  if (from.count == 0 || to.count == 0) {
    return std::nullopt;
  }
  const Index i = from.count == 1 ? from.first : to.first;
  return at(p, i, t) == ends ? std::optional(i) : std::nullopt;
}
inline std::optional<Index> between(const ShiftPairs& p, Pair ends, Index t) {
  const auto j = solve(p.first + t * p.step, p.stride, ends.target - ends.source, p.ranks, p.distances);
  return j ? std::optional(*j * p.ranks + ends.source) : std::nullopt;
}

/// What virtual ranks that take part have in common: they are from `lowest` to `highest`, and multiples of mask + 1, a
/// power of two, away from `origin`. A level of a tree is far from most, or leaves most of them out.
struct Reach {
  Index lowest = 0;
  Index highest = std::numeric_limits<Index>::max();
  Index origin = 0;
  Index mask = 0;

  [[nodiscard]] bool holds(Index v) const { return lowest <= v && v <= highest && ((v - origin) & mask) == 0; }
};

template <typename OtherPairs>
Reach reach_of(const OtherPairs& /*p*/, Index /*t*/) {
  return {};
}
inline Reach reach_of(const AffinePairs& p, Index t) {
  if (p.modulus != 0 || p.count == 0) {
    return {};
  }
  const auto [lowest, highest] = std::minmax(
      {sources(p).at(0, t), sources(p).at(p.count - 1, t), targets(p).at(0, t), targets(p).at(p.count - 1, t)});
  const Index origin = sources(p).at(0, t);
  const Index spacing = std::gcd(std::gcd(p.source_stride, p.target_stride), targets(p).at(0, t) - origin);
  const Index power = spacing & -spacing;  // the largest power of two in it
  return {std::max<Index>(lowest, 0), highest, origin, std::max<Index>(power, 1) - 1};
}

/// The target of the k-th of the pairs `from` whose source is v; the source of those `to` whose target it is.
template <typename OtherPairs>
Index target_of(const OtherPairs& p, Index /*v*/, const PairIndices& from, Index k, Index t) {
  return at(p, from.at(k), t).target;
}
template <typename OtherPairs>
Index source_of(const OtherPairs& p, Index /*v*/, const PairIndices& to, Index k, Index t) {
  return at(p, to.at(k), t).source;
}
inline Index target_of(const TiledPairs& p, Index v, const PairIndices& /*from*/, Index /*k*/, Index /*t*/) {
  return v + p.target_first - p.source_first;
}
inline Index source_of(const TiledPairs& p, Index v, const PairIndices& /*to*/, Index /*k*/, Index /*t*/) {
  return v + p.source_first - p.target_first;
}

}  // namespace postage::formula
