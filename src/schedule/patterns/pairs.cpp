#include <postage/schedule/patterns/pair_formulas.hpp>

#include <numeric>

namespace postage {
namespace {

using namespace formula;

/// Where the pairs walk side by side, each over its own stretch of virtual ranks: the iteration in which the one whose
/// stretch v lies in is at v.
IndexRange side_by_side(const AffineSide& side, Index count, Index v, Index iterations) {
  const Index lowest = side.first + std::min<Index>((iterations - 1) * side.step, 0);
  const Index offset = v - lowest;
  if (offset < 0 || offset / side.stride >= count) {
    return {};
  }
  return single<IndexRange>(solve(side.first + offset / side.stride * side.stride, side.step, v, 0, iterations));
}

IndexRange matching_iterations(const AffineSide& side, Index count, Index v, Index iterations) {
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
