#include "schedule/modular.hpp"

#include <postage/schedule/blocks.hpp>

#include <algorithm>
#include <functional>

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

/// Of plain selectors, and of a variant that holds one of them.
template <typename Selector, typename Visit>
void visit_plain(const Selector& selector, const TransferPlace& place, const Visit& visit) {
  if (const auto* span = std::get_if<BlockSpan>(&selector)) {
    visit_span(*span, place, visit);
  } else if (const auto* list = std::get_if<ExplicitBlocks>(&selector)) {
    std::for_each(list->runs->begin(), list->runs->end(), visit);
  } else if (const auto* digit = std::get_if<DigitBlocks>(&selector)) {
    visit_digit(*digit, place, visit);
  }
}

/// The pair's place inside its group.
TransferPlace inside_group(const TransferPlace& place) {
  return {place.source % kGroupWidth, place.target % kGroupWidth, place.iteration};
}

/// The members that a block stands for, in runs.
template <typename Visit>
void visit_members(const BlockExpansion& expansion, Index group, Index block, const Visit& visit) {
  Index first = expansion.base + group * expansion.group_stride + block * expansion.block_stride;
  Index count = expansion.count;
  if (expansion.starts) {
    first = (*expansion.starts)[static_cast<std::size_t>(block)];
    count = (*expansion.starts)[static_cast<std::size_t>(block) + 1] - first;
  } else if (expansion.limit != 0) {
    const Index room = std::max<Index>(expansion.limit - first, 0);
    count = std::min(count, (room + expansion.stride - 1) / expansion.stride);
  }
  if (expansion.stride == 1 && !expansion.members && count > 0) {
    visit(BlockRun{first, count});
    return;
  }
  for (Index i = 0; i < count; ++i) {
    const Index place = first + i * expansion.stride;
    visit(BlockRun{expansion.members ? (*expansion.members)[static_cast<std::size_t>(place)] : place, 1});
  }
}

/// Joins runs that follow one another.
template <typename Visit>
class Joiner {
 public:
  explicit Joiner(const Visit& visit) : visit_(visit) {}
  void operator()(BlockRun run) {
    if (run.first == joined_.first + joined_.count) {
      joined_.count += run.count;
      return;
    }
    flush();
    joined_ = run;
  }
  void flush() {
    if (joined_.count > 0) {
      visit_(joined_);
    }
  }

 private:
  const Visit& visit_;
  BlockRun joined_{};
};

/// All that members of group a send to members of group b, where the block is the pair a*groups + b.
template <typename Visit>
void visit_between(const GroupedBlocks& blocks, Index pair, const Visit& visit) {
  visit_members(*blocks.expansion, 0, pair / blocks.groups, [&](BlockRun sources) {
    for (Index source = sources.first; source < sources.first + sources.count; ++source) {
      visit_members(*blocks.expansion, 0, pair % blocks.groups, [&](BlockRun targets) {
        visit(BlockRun{source * blocks.ranks + targets.first, targets.count});
      });
    }
  });
}

/// What the run of the inner selector's blocks stands for.
template <typename Visit>
void visit_expanded(const GroupedBlocks& blocks, Index group, BlockRun run, const Visit& visit) {
  const auto for_each_member_run = [&](const auto& visit_member) {
    Joiner joiner(visit_member);
    for (Index block = run.first; block < run.first + run.count; ++block) {
      visit_members(*blocks.expansion, group, block, std::ref(joiner));
    }
    joiner.flush();
  };
  const Index ranks = blocks.ranks;
  switch (blocks.stand_for) {
    case MemberBlocks::kOwn:
      for_each_member_run(visit);
      return;
    case MemberBlocks::kSent:
      for_each_member_run([&](BlockRun members) { visit(BlockRun{members.first * ranks, members.count * ranks}); });
      return;
    case MemberBlocks::kReceived:
      for (Index source = 0; source < ranks; ++source) {
        for_each_member_run([&](BlockRun members) { visit(BlockRun{source * ranks + members.first, members.count}); });
      }
      return;
    case MemberBlocks::kBetween:
      for (Index pair = run.first; pair < run.first + run.count; ++pair) {
        visit_between(blocks, pair, visit);
      }
      return;
  }
}

template <typename Visit>
void visit_runs(const BlockSelector& selector, const TransferPlace& place, const Visit& visit) {
  const auto* grouped = std::get_if<GroupedBlocks>(&selector);
  if (grouped == nullptr) {
    visit_plain(selector, place, visit);
    return;
  }
  const Index group = place.source / kGroupWidth;
  visit_plain(grouped->inner, inside_group(place), [&](BlockRun run) { visit_expanded(*grouped, group, run, visit); });
}

/// O(1) for all but explicit lists and folded strided spans.
template <typename Selector>
Index plain_count(const Selector& selector, const TransferPlace& place) {
  if (const auto* span = std::get_if<BlockSpan>(&selector); span != nullptr && span->doubled == 0) {
    return extent_of(*span, place).count;
  }
  if (const auto* digit = std::get_if<DigitBlocks>(&selector)) {
    return digit_count(*digit, place);
  }
  Index count = 0;
  visit_plain(selector, place, [&](BlockRun run) { count += run.count; });
  return count;
}

Index grouped_count(const GroupedBlocks& blocks, const TransferPlace& place) {
  const TransferPlace inside = inside_group(place);
  const BlockLayout& weights = blocks.weights;
  if (weights.blocks() > 0 && weights.is_uniform()) {
    return plain_count(blocks.inner, inside) * weights.size(0);
  }
  Index count = 0;
  visit_plain(blocks.inner, inside, [&](BlockRun run) {
    if (weights.blocks() > 0) {
      count += weights.offset(run.first + run.count) - weights.offset(run.first);
    } else {
      visit_expanded(blocks, place.source / kGroupWidth, run, [&](BlockRun expanded) { count += expanded.count; });
    }
  });
  return count;
}

}  // namespace

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
  const auto* grouped = std::get_if<GroupedBlocks>(&selector);
  return grouped != nullptr ? grouped_count(*grouped, place) : plain_count(selector, place);
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
