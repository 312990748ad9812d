#include <postage/schedule/pairs.hpp>

#include "schedule/modular.hpp"

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

Side sources(const AffinePairs& p) { return {p.source_first, p.source_stride, p.source_step, p.modulus}; }
Side targets(const AffinePairs& p) { return {p.target_first, p.target_stride, p.target_step, p.modulus}; }

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

IndexRange single(std::optional<Index> x) { return x ? IndexRange{*x, 1} : IndexRange{}; }

IndexRange matching(const Side& side, Index count, Index v, Index t) {
  if (side.stride == 0) {
    return side.at(0, t) == v ? IndexRange{0, count} : IndexRange{};
  }
  return single(solve(side.first + t * side.step, side.stride, v, side.modulus, count));
}

IndexRange matching_iterations(const Side& side, Index count, Index v, Index iterations) {
  const bool stays = side.step == 0;
  const bool walks = !stays && (side.stride == 0 || count == 1);
  if (walks) {
    return single(solve(side.first, side.step, v, side.modulus, iterations));
  }
  return {0, iterations};
}

bool member(const XorPairs& p, Index v) { return v >= 0 && v < p.count; }

}  // namespace

Index pair_count(const Pairs& pairs) {
  return std::visit([](const auto& p) { return p.count; }, pairs);
}

Pair pair_at(const Pairs& pairs, Index i, Index t) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    return {sources(*p).at(i, t), targets(*p).at(i, t)};
  }
  const auto& p = std::get<XorPairs>(pairs);
  return {i, i ^ (p.mask + t * p.mask_step)};
}

IndexRange pairs_from(const Pairs& pairs, Index v, Index t) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    return matching(sources(*p), p->count, v, t);
  }
  return member(std::get<XorPairs>(pairs), v) ? IndexRange{v, 1} : IndexRange{};
}

IndexRange pairs_to(const Pairs& pairs, Index v, Index t) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    return matching(targets(*p), p->count, v, t);
  }
  const auto& p = std::get<XorPairs>(pairs);
  return member(p, v) ? IndexRange{v ^ (p.mask + t * p.mask_step), 1} : IndexRange{};
}

IndexRange iterations_from(const Pairs& pairs, Index v, Index iterations) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    return matching_iterations(sources(*p), p->count, v, iterations);
  }
  return member(std::get<XorPairs>(pairs), v) ? IndexRange{0, iterations} : IndexRange{};
}

IndexRange iterations_to(const Pairs& pairs, Index v, Index iterations) {
  if (const auto* p = std::get_if<AffinePairs>(&pairs)) {
    return matching_iterations(targets(*p), p->count, v, iterations);
  }
  return member(std::get<XorPairs>(pairs), v) ? IndexRange{0, iterations} : IndexRange{};
}

}  // namespace postage
