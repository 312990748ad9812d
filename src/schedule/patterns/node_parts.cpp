#include "schedule/patterns/node_parts.hpp"

#include "schedule/patterns/exchange_stages.hpp"

#include <algorithm>

namespace postage {

bool is_vector(Collective collective) {
  return collective == Collective::kBcast || collective == Collective::kReduce || collective == Collective::kAllreduce;
}

void share_out(Index blocks, Index shares, Embedding& embedding) {
  const Index each = (blocks + shares - 1) / shares;
  const bool fits = each * shares == blocks;
  embedding.expansion = std::make_shared<const BlockExpansion>(
      BlockExpansion{.block_stride = each, .count = each, .limit = fits ? 0 : blocks});
  if (fits) {
    embedding.weights = BlockLayout::uniform(shares, each);
  }
}

PartBuilder::PartBuilder(Collective collective, const ScheduleRequest& request, const NodeMap& map)
    : collective_(collective), request_(request), map_(map) {
  if (has_root(collective)) {
    root_ = request.root;
  }
  if (collective == Collective::kAlltoall) {
    layout_ = pair_layout(request);
  } else if (!is_vector(collective) && collective != Collective::kBarrier) {
    layout_ = contribution_layout(request);
  }
}

std::vector<Part> PartBuilder::up(Collective collective, const NodePart& part) const {
  return within_nodes(collective, part, collective == Collective::kBarrier ? PartBlocks::kToken : usual_blocks());
}

std::vector<Part> PartBuilder::down(Collective collective, const NodePart& part) const {
  return within_nodes(collective, part, down_blocks());
}

Part PartBuilder::across(Collective collective, const NodePart& part) const {
  const PartBlocks blocks = collective_ == Collective::kBarrier ? PartBlocks::kToken : usual_blocks();
  const Index root_node = root_ ? map_.node_of(*root_) : 0;
  return part_of(collective, part, map_.nodes(), root_node, blocks, leaders_embedding(blocks));
}

PartBlocks PartBuilder::usual_blocks() const {
  return is_vector(collective_) ? PartBlocks::kVector : PartBlocks::kMembers;
}

PartBlocks PartBuilder::down_blocks() const {
  switch (collective_) {
    case Collective::kBarrier:
      return PartBlocks::kToken;
    case Collective::kAllgather:
      return PartBlocks::kEverything;
    default:
      return usual_blocks();
  }
}

std::vector<Part> PartBuilder::within_nodes(Collective collective, const NodePart& part, PartBlocks blocks) const {
  std::vector<Part> parts;
  for (const EqualNodes& group : map_.groups(root_)) {
    Embedding embedding{.numbering = group.numbering, .ranks = request_.ranks};
    if (blocks == PartBlocks::kMembers) {
      const GroupedNumbering& numbering = group.numbering;
      embedding.expansion =
          std::make_shared<const BlockExpansion>(BlockExpansion{.base = numbering.base,
                                                                .group_stride = numbering.group_stride,
                                                                .block_stride = numbering.member_stride,
                                                                .members = numbering.listed.ranks});
      embedding.stand_for = stand_for(collective);
      const bool rows = embedding.stand_for != MemberBlocks::kOwn;
      embedding.weights = BlockLayout::uniform(group.members, rows ? request_.ranks : 1);
    }
    parts.push_back(part_of(collective, part, group.members, group.leader, blocks, std::move(embedding)));
  }
  return parts;
}

MemberBlocks PartBuilder::stand_for(Collective collective) const {
  if (collective_ != Collective::kAlltoall) {
    return MemberBlocks::kOwn;
  }
  return collective == Collective::kGather ? MemberBlocks::kSent : MemberBlocks::kReceived;
}

Embedding PartBuilder::leaders_embedding(PartBlocks blocks) const {
  Embedding embedding{.numbering = map_.leaders(root_), .ranks = request_.ranks, .groups = map_.nodes()};
  if (blocks == PartBlocks::kMembers) {
    embedding.expansion = std::make_shared<const BlockExpansion>(map_.node_blocks());
    embedding.weights = map_.node_sizes();
    if (collective_ == Collective::kAlltoall) {
      const BlockLayout sizes = embedding.weights;
      embedding.stand_for = MemberBlocks::kBetween;
      embedding.weights = sizes.is_uniform()
                              ? BlockLayout::uniform(sizes.blocks() * sizes.blocks(), sizes.size(0) * sizes.size(0))
                              : BlockLayout();
    }
  }
  return embedding;
}

Part PartBuilder::part_of(Collective collective, const NodePart& part, Index ranks, Index root, PartBlocks blocks,
                          Embedding embedding) const {
  const ScheduleRequest request{.ranks = static_cast<Rank>(ranks),
                                .root = static_cast<Rank>(root),
                                .bytes = bytes_of_part(ranks, blocks, embedding),
                                .element_bytes = request_.element_bytes,
                                .segment_bytes = request_.segment_bytes,
                                .commutative = request_.commutative,
                                .parameters = part.parameters};
  Part built{build_schedule(find_algorithm(collective, part.algorithm), request), std::move(embedding), blocks};
  if (blocks == PartBlocks::kEverything) {
    share_out(layout_.blocks(), built.schedule.layout.blocks(), built.embedding);
  }
  return built;
}

/// What decides on segments: the whole message, or the largest block that a member stands for.
Bytes PartBuilder::bytes_of_part(Index ranks, PartBlocks blocks, const Embedding& embedding) const {
  switch (blocks) {
    case PartBlocks::kToken:
      return 0;
    case PartBlocks::kVector:
      return request_.bytes;
    case PartBlocks::kEverything:
      return layout_.total();
    case PartBlocks::kMembers:
      return layout_.is_uniform() ? layout_.size(0) * largest_weight(embedding) : largest_block(ranks, embedding);
  }
  return 0;
}

/// Blocks of the whole in the largest one of a part.
Index PartBuilder::largest_weight(const Embedding& embedding) const {
  const BlockLayout sizes = map_.node_sizes();
  Index members = 0;
  for (Index node = 0; node < (sizes.has_formula() ? 1 : sizes.blocks()); ++node) {
    members = std::max(members, sizes.size(node));
  }
  const bool among_leaders = embedding.expansion->count > 1 || embedding.expansion->starts;
  switch (embedding.stand_for) {
    case MemberBlocks::kOwn:
      return among_leaders ? members : 1;
    case MemberBlocks::kBetween:
      return members * members;
    default:
      return request_.ranks;
  }
}

/// In bytes, where they are listed. O(length of the list).
Bytes PartBuilder::largest_block(Index ranks, const Embedding& embedding) const {
  GroupedBlocks one{.expansion = embedding.expansion,
                    .stand_for = embedding.stand_for,
                    .ranks = embedding.ranks,
                    .groups = embedding.groups};
  const Index blocks = embedding.stand_for == MemberBlocks::kBetween ? ranks * ranks : ranks;
  Bytes largest = 0;
  for (Index group = 0; group < embedding.numbering.groups; ++group) {
    for (Index block = 0; block < blocks; ++block) {
      one.inner = BlockSpan{.constant = block};
      largest = std::max(largest, bytes_of(one, {.source = group * kGroupWidth}, layout_));
    }
  }
  return largest;
}

}  // namespace postage
