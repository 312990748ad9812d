#include <postage/schedule/patterns/numbering_formulas.hpp>

namespace postage {

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
