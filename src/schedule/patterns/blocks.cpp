#include <postage/schedule/patterns/blocks.hpp>
#include <postage/schedule/patterns/modular.hpp>

#include <algorithm>
#include <functional>

namespace postage {
namespace {

/// Where a span starts and how many blocks it has, before rotation.
struct Extent {
  Index first;
  Index count;
};

Extent extent_of(const BlockSpan& span, const TransferPosition& position) {
  const Index first =
      floor_to(span.align, span.constant + span.by_source * position.source + span.by_target * position.target +
                               span.by_iteration * position.iteration);
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
void visit_span(const BlockSpan& span, const TransferPosition& position, const Visit& visit) {
  const auto [first, count] = extent_of(span, position);
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

Index digit_of(const DigitBlocks& blocks, const TransferPosition& position) {
  return floor_mod(position.target - position.source, blocks.ranks) / blocks.weight;
}

template <typename Visit>
void visit_digit(const DigitBlocks& blocks, const TransferPosition& position, const Visit& visit) {
  const Index ranks = blocks.ranks;
  const Index digit = digit_of(blocks, position);
  for (Index low = 0; low < blocks.weight; ++low) {
    const Index origin = floor_mod(position.source - low, ranks);
    for (Index distance = digit * blocks.weight + low; distance < ranks; distance += blocks.weight * blocks.radix) {
      visit(BlockRun{origin * ranks + (origin + distance) % ranks, 1});
    }
  }
}

/// Distances in [0, ranks) with the digit: `weight` in each full period, and what the last, partial period has of them.
Index digit_count(const DigitBlocks& blocks, const TransferPosition& position) {
  const Index period = blocks.weight * blocks.radix;
  const Index rest = blocks.ranks % period - digit_of(blocks, position) * blocks.weight;
  return blocks.ranks / period * blocks.weight + std::clamp<Index>(rest, 0, blocks.weight);
}

/// Of plain selectors, and of a variant that holds one of them.
template <typename Selector, typename Visit>
void visit_plain(const Selector& selector, const TransferPosition& position, const Visit& visit) {
  if (const auto* span = std::get_if<BlockSpan>(&selector)) {
    visit_span(*span, position, visit);
  } else if (const auto* list = std::get_if<ExplicitBlocks>(&selector)) {
    std::for_each(list->runs->begin(), list->runs->end(), visit);
  } else if (const auto* digit = std::get_if<DigitBlocks>(&selector)) {
    visit_digit(*digit, position, visit);
  }
}

/// The pair's position inside its group.
TransferPosition inside_group(const TransferPosition& position) {
  return {position.source % kGroupWidth, position.target % kGroupWidth, position.iteration};
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
    const Index member = first + i * expansion.stride;
    visit(BlockRun{expansion.members ? (*expansion.members)[static_cast<std::size_t>(member)] : member, 1});
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
void visit_runs(const BlockSelector& selector, const TransferPosition& position, const Visit& visit) {
  const auto* grouped = std::get_if<GroupedBlocks>(&selector);
  if (grouped == nullptr) {
    visit_plain(selector, position, visit);
    return;
  }
  const Index group = position.source / kGroupWidth;
  visit_plain(grouped->inner, inside_group(position),
              [&](BlockRun run) { visit_expanded(*grouped, group, run, visit); });
}

/// O(1) for all but explicit lists and folded strided spans.
template <typename Selector>
Index plain_count(const Selector& selector, const TransferPosition& position) {
  if (const auto* span = std::get_if<BlockSpan>(&selector); span != nullptr && span->doubled == 0) {
    return extent_of(*span, position).count;
  }
  if (const auto* digit = std::get_if<DigitBlocks>(&selector)) {
    return digit_count(*digit, position);
  }
  Index count = 0;
  visit_plain(selector, position, [&](BlockRun run) { count += run.count; });
  return count;
}

Index grouped_count(const GroupedBlocks& blocks, const TransferPosition& position) {
  const TransferPosition inside = inside_group(position);
  const BlockLayout& weights = blocks.weights;
  if (weights.blocks() > 0 && weights.is_uniform()) {
    return plain_count(blocks.inner, inside) * weights.size(0);
  }
  Index count = 0;
  visit_plain(blocks.inner, inside, [&](BlockRun run) {
    if (weights.blocks() > 0) {
      count += weights.offset(run.first + run.count) - weights.offset(run.first);
    } else {
      visit_expanded(blocks, position.source / kGroupWidth, run, [&](BlockRun expanded) { count += expanded.count; });
    }
  });
  return count;
}

}  // namespace

void for_each_run(const BlockSelector& selector, const TransferPosition& position,
                  const std::function<void(BlockRun)>& visit) {
  visit_runs(selector, position, visit);
}

std::vector<BlockRun> runs_of(const BlockSelector& selector, const TransferPosition& position) {
  std::vector<BlockRun> runs;
  visit_runs(selector, position, [&](BlockRun run) { runs.push_back(run); });
  return runs;
}

Index block_count(const BlockSelector& selector, const TransferPosition& position) {
  const auto* grouped = std::get_if<GroupedBlocks>(&selector);
  return grouped != nullptr ? grouped_count(*grouped, position) : plain_count(selector, position);
}

Bytes bytes_of(const BlockSelector& selector, const TransferPosition& position, const BlockLayout& layout) {
  if (layout.is_uniform()) {
    return block_count(selector, position) * layout.size(0);
  }
  Bytes bytes = 0;
  visit_runs(selector, position,
             [&](BlockRun run) { bytes += layout.offset(run.first + run.count) - layout.offset(run.first); });
  return bytes;
}

}  // namespace postage
