#include "schedule/patterns/reflected_pairs.hpp"

#include <postage/schedule/patterns/pair_formulas.hpp>

namespace postage::formula {
namespace {

Index count_in_group(const GroupedPairs& p) {
  return std::visit([](const auto& each) { return count_of(each); }, p.each);
}

PairIndices moved_to_group(const GroupedPairs& p, Index v, PairIndices indices) {
  indices.first += v / kGroupWidth * count_in_group(p);
  return indices;
}

}  // namespace

PairIndices sources_of(const ReflectedPairs& p, Index v, Index /*t*/) {
  return Reflection(p).pairs_from(v);
}

PairIndices targets_of(const ReflectedPairs& p, Index v, Index /*t*/) {
  return Reflection(p).pairs_to(v);
}

Pair at(const ReflectedPairs& p, Index i, Index /*t*/) {
  return Reflection(p).pair(i);
}

Index count_of(const ReflectedPairs& p) {
  return Reflection(p).pair_count();
}

Index target_of(const ReflectedPairs& p, Index v, const PairIndices& from, Index k, Index /*t*/) {
  return Reflection(p).target_of(from.at(k), v);
}

Index source_of(const ReflectedPairs& p, Index v, const PairIndices& to, Index k, Index /*t*/) {
  return Reflection(p).source_of(to.at(k), v);
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

Pair at(const ExplicitPairs& p, Index i, Index /*t*/) {
  return (*p.pairs)[static_cast<std::size_t>(i)];
}

Index count_of(const ExplicitPairs& p) {
  return static_cast<Index>(p.pairs->size());
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

}  // namespace postage::formula
