#include "schedule/modular.hpp"

#include <postage/schedule/blocks.hpp>

#include <algorithm>

namespace postage {
namespace {

/// Where a span starts and how many blocks it has, before rotation.
struct Extent {
  Index first;
  Index count;
};

Extent extent_of(const BlockSpan& span, const TransferPlace& place) {
  const Index first = floor_to(span.align, span.constant + span.by_source * place.source +
                                               span.by_target * place.target + span.by_iteration * place.iteration);
  if (span.limit == 0) {
    return {first, span.count};
  }
  const Index room = span.limit > first ? (span.limit - first + span.stride - 1) / span.stride : 0;
  return {first, std::min(span.count, room)};
}

/// The blocks of a run of units of which the first `doubled` are two blocks wide.
BlockRun unfolded(BlockRun units, Index doubled) {
  const Index end = units.first + units.count;
  const Index first = units.first + std::min(units.first, doubled);
  return {first, end + std::min(end, doubled) - first};
}

template <typename Visit>
void visit_span(const BlockSpan& span, const TransferPlace& place, const Visit& visit) {
  const auto [first, count] = extent_of(span, place);
  if (count == 0) {
    return;
  }
  const auto visit_units = [&](BlockRun units) { visit(unfolded(units, span.doubled)); };
  if (span.stride != 1) {
    for (Index i = 0; i < count; ++i) {
      const Index unit = first + i * span.stride + span.rotation;
      visit_units({span.modulus == 0 ? unit : floor_mod(unit, span.modulus), 1});
    }
    return;
  }
  if (span.modulus == 0) {
    visit_units({first + span.rotation, count});
    return;
  }
  const Index start = floor_mod(first + span.rotation, span.modulus);
  const Index before_wrap = std::min(count, span.modulus - start);
  visit_units({start, before_wrap});
  if (before_wrap < count) {
    visit_units({0, count - before_wrap});
  }
}

Index digit_of(const DigitBlocks& blocks, const TransferPlace& place) {
  return floor_mod(place.target - place.source, blocks.ranks) / blocks.place;
}

template <typename Visit>
void visit_digit(const DigitBlocks& blocks, const TransferPlace& place, const Visit& visit) {
  const Index ranks = blocks.ranks;
  const Index digit = digit_of(blocks, place);
  for (Index low = 0; low < blocks.place; ++low) {
    const Index origin = floor_mod(place.source - low, ranks);
    for (Index way = digit * blocks.place + low; way < ranks; way += blocks.place * blocks.radix) {
      visit(BlockRun{origin * ranks + (origin + way) % ranks, 1});
    }
  }
}

/// Ways in [0, ranks) with the digit: `place` in each full period, and what the last, partial period has of them.
Index digit_count(const DigitBlocks& blocks, const TransferPlace& place) {
  const Index period = blocks.place * blocks.radix;
  const Index rest = blocks.ranks % period - digit_of(blocks, place) * blocks.place;
  return blocks.ranks / period * blocks.place + std::clamp<Index>(rest, 0, blocks.place);
}

template <typename Visit>
void visit_runs(const BlockSelector& selector, const TransferPlace& place, const Visit& visit) {
  if (const auto* span = std::get_if<BlockSpan>(&selector)) {
    visit_span(*span, place, visit);
  } else if (const auto* list = std::get_if<ExplicitBlocks>(&selector)) {
    std::for_each(list->runs->begin(), list->runs->end(), visit);
  } else if (const auto* digit = std::get_if<DigitBlocks>(&selector)) {
    visit_digit(*digit, place, visit);
  }
}

}  // namespace

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

void for_each_run(const BlockSelector& selector, const TransferPlace& place,
                  const std::function<void(BlockRun)>& visit) {
  visit_runs(selector, place, visit);
}

std::vector<BlockRun> runs_of(const BlockSelector& selector, const TransferPlace& place) {
  std::vector<BlockRun> runs;
  visit_runs(selector, place, [&](BlockRun run) { runs.push_back(run); });
  return runs;
}

Index block_count(const BlockSelector& selector, const TransferPlace& place) {
  if (const auto* span = std::get_if<BlockSpan>(&selector); span != nullptr && span->doubled == 0) {
    return extent_of(*span, place).count;
  }
  if (const auto* digit = std::get_if<DigitBlocks>(&selector)) {
    return digit_count(*digit, place);
  }
  Index count = 0;
  visit_runs(selector, place, [&](BlockRun run) { count += run.count; });
  return count;
}

Bytes bytes_of(const BlockSelector& selector, const TransferPlace& place, const BlockLayout& layout) {
  if (layout.is_uniform()) {
    return block_count(selector, place) * layout.size(0);
  }
  Bytes bytes = 0;
  visit_runs(selector, place,
             [&](BlockRun run) { bytes += layout.offset(run.first + run.count) - layout.offset(run.first); });
  return bytes;
}

}  // namespace postage
