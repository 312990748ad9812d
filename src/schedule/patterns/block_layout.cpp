#include <postage/schedule/patterns/blocks.hpp>

#include <algorithm>

namespace postage {

BlockLayout BlockLayout::uniform(Index blocks, Bytes bytes, Bytes element_bytes) {
  BlockLayout layout;
  layout.blocks_ = blocks;
  layout.small_bytes_ = bytes;
  layout.element_bytes_ = element_bytes;
  return layout;
}

BlockLayout BlockLayout::split(Index blocks, Index elements, Bytes element_bytes) {
  BlockLayout layout;
  layout.blocks_ = blocks;
  layout.small_bytes_ = elements / blocks * element_bytes;
  layout.large_blocks_ = elements % blocks;
  layout.element_bytes_ = element_bytes;
  return layout;
}

BlockLayout BlockLayout::two_sizes(Index blocks, Index large_blocks, Bytes large, Bytes small) {
  BlockLayout layout = uniform(blocks, small);
  if (large != small) {
    layout.large_blocks_ = large_blocks;
    layout.element_bytes_ = large - small;
  }
  return layout;
}

BlockLayout BlockLayout::explicit_sizes(const std::vector<Bytes>& bytes, Bytes element_bytes) {
  BlockLayout layout;
  layout.blocks_ = static_cast<Index>(bytes.size());
  auto offsets = std::make_shared<std::vector<Bytes>>(bytes.size() + 1, 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    (*offsets)[i + 1] = (*offsets)[i] + bytes[i];
  }
  layout.element_bytes_ = element_bytes;
  layout.offsets_ = std::move(offsets);
  return layout;
}

Bytes BlockLayout::offset(Index block) const {
  if (offsets_) {
    return (*offsets_)[static_cast<std::size_t>(block)];
  }
  return block * small_bytes_ + std::min(block, large_blocks_) * element_bytes_;
}

bool BlockLayout::operator==(const BlockLayout& other) const {
  const bool same_formula = blocks_ == other.blocks_ && small_bytes_ == other.small_bytes_ &&
                            large_blocks_ == other.large_blocks_ && element_bytes_ == other.element_bytes_;
  const bool both_formulas = !offsets_ && !other.offsets_;
  return same_formula && (both_formulas || (offsets_ && other.offsets_ && *offsets_ == *other.offsets_));
}

}  // namespace postage
