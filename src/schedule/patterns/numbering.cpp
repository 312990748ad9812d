#include <postage/schedule/patterns/numbering_formulas.hpp>

namespace postage {
namespace formula {
namespace {

Index swapped(const GroupedNumbering& n, Index rank) {
  if (rank == n.swapped_a) {
    return n.swapped_b;
  }
  return rank == n.swapped_b ? n.swapped_a : rank;
}

/// Group and member at a distance from the base: the longer stride tells first.
std::optional<Index> grouped(const GroupedNumbering& n, Index distance) {
  if (distance < 0) {
    return std::nullopt;
  }
  const bool groups_first = n.groups > 1 && n.group_stride >= n.member_stride;
  const Index long_stride = groups_first ? n.group_stride : n.member_stride;
  const Index rest = distance % long_stride;
  const Index short_stride = groups_first ? n.member_stride : std::max<Index>(n.group_stride, 1);
  const Index group = groups_first ? distance / long_stride : rest / short_stride;
  const Index member = groups_first ? rest / short_stride : distance / long_stride;
  if (rest % short_stride != 0 || group >= n.groups || member >= n.members) {
    return std::nullopt;
  }
  const auto v = std::visit([&](const auto& inner) { return preimage(inner, member); }, n.inner);
  return v ? std::optional(group * kGroupWidth + *v) : std::nullopt;
}

}  // namespace

Index image(const GroupedNumbering& n, Index v) {
  const Index member = std::visit([&](const auto& inner) { return image(inner, v % kGroupWidth); }, n.inner);
  const Index slot = n.base + v / kGroupWidth * n.group_stride + member * n.member_stride;
  return swapped(n, n.listed.ranks ? image(n.listed, slot) : slot);
}

std::optional<Index> preimage(const GroupedNumbering& n, Index rank) {
  const Index usual = swapped(n, rank);
  const std::optional<Index> slot = n.listed.ranks ? preimage(n.listed, usual) : std::optional(usual);
  return slot ? grouped(n, *slot - n.base) : std::nullopt;
}

}  // namespace formula

ExplicitNumbering explicit_numbering(std::vector<Index> ranks, Index communicator_size) {
  auto virtuals = std::make_shared<std::vector<Index>>(static_cast<std::size_t>(communicator_size), -1);
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    (*virtuals)[static_cast<std::size_t>(ranks[v])] = static_cast<Index>(v);
  }
  return {std::make_shared<const std::vector<Index>>(std::move(ranks)), std::move(virtuals)};
}

Index rank_of(const Numbering& numbering, Index virtual_rank) {
  return std::visit([&](const auto& n) { return formula::image(n, virtual_rank); }, numbering);
}

std::optional<Index> virtual_of(const Numbering& numbering, Index rank) {
  return std::visit([&](const auto& n) { return formula::preimage(n, rank); }, numbering);
}

}  // namespace postage
