#include "schedule/mirror.hpp"
#include "schedule/modular.hpp"

#include <postage/schedule/pairs.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>

namespace postage {
namespace {

/// One side (sources or targets) of affine pairs.
struct Side {
  Index first;
  Index stride;
  Index step;
  Index modulus;

  [[nodiscard]] Index at(Index i, Index t) const {
    const Index value = first + i * stride + t * step;
    return modulus == 0 ? value : floor_mod(value, modulus);
  }
};

Side sources(const AffinePairs& p) {
  return {p.source_first, p.source_stride, p.source_step, p.modulus};
}
Side targets(const AffinePairs& p) {
  return {p.target_first, p.target_stride, p.target_step, p.modulus};
}

/// The x in [0, count) with start + x*stride = value (mod modulus). Progressions never lap the ring twice.
std::optional<Index> solve(Index start, Index stride, Index value, Index modulus, Index count) {
  Index distance = stride > 0 ? value - start : start - value;
  const Index step = stride > 0 ? stride : -stride;
  if (modulus != 0) {
    distance = floor_mod(distance, modulus);
  }
  if (distance < 0 || distance % step != 0 || distance / step >= count) {
    return std::nullopt;
  }
  return distance / step;
}

/// The range that holds x alone, or nothing.
template <typename Range>
Range single(std::optional<Index> x) {
  return x ? Range{*x, 1} : Range{};
}

PairIndices matching(const Side& side, Index count, Index v, Index t) {
  if (side.stride == 0) {
    return side.at(0, t) == v ? PairIndices{0, count} : PairIndices{};
  }
  return single<PairIndices>(solve(side.first + t * side.step, side.stride, v, side.modulus, count));
}

/// Where the pairs walk side by side, each over its own stretch of virtual ranks: the iteration in which the one whose
/// stretch v lies in is at v.
IndexRange side_by_side(const Side& side, Index count, Index v, Index iterations) {
  const Index lowest = side.first + std::min<Index>((iterations - 1) * side.step, 0);
  const Index offset = v - lowest;
  if (offset < 0 || offset / side.stride >= count) {
    return {};
  }
  return single<IndexRange>(solve(side.first + offset / side.stride * side.stride, side.step, v, 0, iterations));
}

IndexRange matching_iterations(const Side& side, Index count, Index v, Index iterations) {
  if (side.step == 0) {
    return matching(side, count, v, 0).count > 0 ? IndexRange{0, iterations} : IndexRange{};
  }
  if (side.stride == 0 || count == 1) {
    return single<IndexRange>(solve(side.first, side.step, v, side.modulus, iterations));
  }
  const Index stretch = (iterations - 1) * (side.step < 0 ? -side.step : side.step);
  if (side.modulus == 0 && stretch < side.stride) {
    return side_by_side(side, count, v, iterations);
  }
  return {0, iterations};
}

PairIndices sources_of(const AffinePairs& p, Index v, Index t) {
  return matching(sources(p), p.count, v, t);
}
PairIndices targets_of(const AffinePairs& p, Index v, Index t) {
  return matching(targets(p), p.count, v, t);
}

PairIndices sources_of(const XorPairs& p, Index v, Index /*t*/) {
  return v >= 0 && v < p.count ? PairIndices{v, 1} : PairIndices{};
}
PairIndices targets_of(const XorPairs& p, Index v, Index t) {
  return v >= 0 && v < p.count ? PairIndices{v ^ (p.mask + t * p.mask_step), 1} : PairIndices{};
}

PairIndices tiled_match(const TiledPairs& p, Index first, Index v) {
  const Index offset = v - first;
  if (offset < 0 || offset % p.stride >= p.width) {
    return {};
  }
  const Index i = offset / p.stride * p.width + offset % p.stride;
  return i < p.count ? PairIndices{i, 1} : PairIndices{};
}
PairIndices sources_of(const TiledPairs& p, Index v, Index /*t*/) {
  return tiled_match(p, p.source_first, v);
}
PairIndices targets_of(const TiledPairs& p, Index v, Index /*t*/) {
  return tiled_match(p, p.target_first, v);
}

PairIndices sources_of(const ShiftPairs& p, Index v, Index /*t*/) {
  return v >= 0 && v < p.ranks ? PairIndices{v, p.distances, p.ranks} : PairIndices{};
}
/// Pair j*ranks + s has distance first + j*stride; the source s moves by -stride from one distance to the next and
/// passes the ring's end once at most.
PairIndices targets_of(const ShiftPairs& p, Index v, Index t) {
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

PairIndices sources_of(const MirrorPairs& p, Index v, Index /*t*/) {
  return Mirror(p).pairs_from(v);
}
PairIndices targets_of(const MirrorPairs& p, Index v, Index /*t*/) {
  return Mirror(p).pairs_to(v);
}

PairIndices sources_of(const ExplicitPairs& p, Index v, Index /*t*/) {
  const auto before = [](const Pair& pair, Index source) { return pair.source < source; };
  const auto at = std::lower_bound(p.pairs->begin(), p.pairs->end(), v, before);
  return at != p.pairs->end() && at->source == v ? PairIndices{at - p.pairs->begin(), 1} : PairIndices{};
}
PairIndices targets_of(const ExplicitPairs& p, Index v, Index /*t*/) {
  const auto target = [&](Index i) { return (*p.pairs)[static_cast<std::size_t>(i)].target; };
  const auto before = [&](Index i, Index wanted) { return target(i) < wanted; };
  const auto at = std::lower_bound(p.by_target->begin(), p.by_target->end(), v, before);
  return at != p.by_target->end() && target(*at) == v ? PairIndices{*at, 1} : PairIndices{};
}

Pair at(const AffinePairs& p, Index i, Index t) {
  return {sources(p).at(i, t), targets(p).at(i, t)};
}
Pair at(const XorPairs& p, Index i, Index t) {
  return {i, i ^ (p.mask + t * p.mask_step)};
}
Pair at(const TiledPairs& p, Index i, Index /*t*/) {
  const Index place = i / p.width * p.stride + i % p.width;
  return {p.source_first + place, p.target_first + place};
}
Pair at(const ShiftPairs& p, Index i, Index t) {
  const Index source = i % p.ranks;
  return {source, floor_mod(source + p.first + i / p.ranks * p.stride + t * p.step, p.ranks)};
}
Pair at(const MirrorPairs& p, Index i, Index /*t*/) {
  return Mirror(p).pair(i);
}
Pair at(const ExplicitPairs& p, Index i, Index /*t*/) {
  return (*p.pairs)[static_cast<std::size_t>(i)];
}

Index count_of(const AffinePairs& p) {
  return p.count;
}
Index count_of(const XorPairs& p) {
  return p.count;
}
Index count_of(const TiledPairs& p) {
  return p.count;
}
Index count_of(const ShiftPairs& p) {
  return p.ranks * p.distances;
}
Index count_of(const MirrorPairs& p) {
  return Mirror(p).pair_count();
}
Index count_of(const ExplicitPairs& p) {
  return static_cast<Index>(p.pairs->size());
}

/// Where an end has one pair at most, that is the one or none is.
template <typename OtherPairs>
std::optional<Index> between(const OtherPairs& p, Pair ends, Index t) {
  const PairIndices from = sources_of(p, ends.source, t);
  const PairIndices to = targets_of(p, ends.target, t);
  if (from.count == 0 || to.count == 0) {
    return std::nullopt;
  }
  const Index i = from.count == 1 ? from.first : to.first;
  return at(p, i, t) == ends ? std::optional(i) : std::nullopt;
}
std::optional<Index> between(const ShiftPairs& p, Pair ends, Index t) {
  const auto j = solve(p.first + t * p.step, p.stride, ends.target - ends.source, p.ranks, p.distances);
  return j ? std::optional(*j * p.ranks + ends.source) : std::nullopt;
}

IndexRange all_if(bool member, Index iterations) {
  return member ? IndexRange{0, iterations} : IndexRange{};
}

template <typename OtherPairs>
IndexRange source_iterations(const OtherPairs& p, Index v, Index iterations) {
  return all_if(sources_of(p, v, 0).count > 0, iterations);
}
IndexRange source_iterations(const AffinePairs& p, Index v, Index iterations) {
  return matching_iterations(sources(p), p.count, v, iterations);
}

template <typename OtherPairs>
IndexRange target_iterations(const OtherPairs& p, Index v, Index iterations) {
  return all_if(targets_of(p, v, 0).count > 0, iterations);
}
IndexRange target_iterations(const AffinePairs& p, Index v, Index iterations) {
  return matching_iterations(targets(p), p.count, v, iterations);
}

// Groups: each of the above asks the pairs of one group.

Index count_in_group(const GroupedPairs& p) {
  return std::visit([](const auto& each) { return count_of(each); }, p.each);
}
Index count_of(const GroupedPairs& p) {
  return p.groups * count_in_group(p);
}

Pair at(const GroupedPairs& p, Index i, Index t) {
  const Index in_group = count_in_group(p);
  const Index offset = i / in_group * kGroupWidth;
  const Pair pair = std::visit([&](const auto& each) { return at(each, i % in_group, t); }, p.each);
  return {pair.source + offset, pair.target + offset};
}

PairIndices moved_to_group(const GroupedPairs& p, Index v, PairIndices indices) {
  indices.first += v / kGroupWidth * count_in_group(p);
  return indices;
}
PairIndices sources_of(const GroupedPairs& p, Index v, Index t) {
  return moved_to_group(p, v,
                        std::visit([&](const auto& each) { return sources_of(each, v % kGroupWidth, t); }, p.each));
}
PairIndices targets_of(const GroupedPairs& p, Index v, Index t) {
  return moved_to_group(p, v,
                        std::visit([&](const auto& each) { return targets_of(each, v % kGroupWidth, t); }, p.each));
}

std::optional<Index> between(const GroupedPairs& p, Pair ends, Index t) {
  const Index group = ends.source / kGroupWidth;
  if (ends.target / kGroupWidth != group) {
    return std::nullopt;
  }
  const Pair inner{ends.source % kGroupWidth, ends.target % kGroupWidth};
  const auto i = std::visit([&](const auto& each) { return between(each, inner, t); }, p.each);
  return i ? std::optional(group * count_in_group(p) + *i) : std::nullopt;
}

IndexRange source_iterations(const GroupedPairs& p, Index v, Index iterations) {
  return std::visit([&](const auto& each) { return source_iterations(each, v % kGroupWidth, iterations); }, p.each);
}
IndexRange target_iterations(const GroupedPairs& p, Index v, Index iterations) {
  return std::visit([&](const auto& each) { return target_iterations(each, v % kGroupWidth, iterations); }, p.each);
}

}  // namespace

ExplicitPairs explicit_pairs(std::vector<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.source < b.source; });
  std::vector<Index> by_target(pairs.size());
  std::iota(by_target.begin(), by_target.end(), Index{0});
  const auto target = [&](Index i) { return pairs[static_cast<std::size_t>(i)].target; };
  std::sort(by_target.begin(), by_target.end(), [&](Index a, Index b) { return target(a) < target(b); });
  return {std::make_shared<const std::vector<Pair>>(std::move(pairs)),
          std::make_shared<const std::vector<Index>>(std::move(by_target))};
}

Index pair_count(const Pairs& pairs) {
  return std::visit([](const auto& p) { return count_of(p); }, pairs);
}

Pair pair_at(const Pairs& pairs, Index i, Index t) {
  return std::visit([&](const auto& p) { return at(p, i, t); }, pairs);
}

PairIndices pairs_from(const Pairs& pairs, Index v, Index t) {
  return std::visit([&](const auto& p) { return sources_of(p, v, t); }, pairs);
}

PairIndices pairs_to(const Pairs& pairs, Index v, Index t) {
  return std::visit([&](const auto& p) { return targets_of(p, v, t); }, pairs);
}

IndexRange iterations_from(const Pairs& pairs, Index v, Index iterations) {
  return std::visit([&](const auto& p) { return source_iterations(p, v, iterations); }, pairs);
}

IndexRange iterations_to(const Pairs& pairs, Index v, Index iterations) {
  return std::visit([&](const auto& p) { return target_iterations(p, v, iterations); }, pairs);
}

Index pair_between(const Pairs& pairs, Index v, Index w, Index t) {
  return std::visit([&](const auto& p) { return between(p, {v, w}, t); }, pairs).value_or(-1);
}

}  // namespace postage
