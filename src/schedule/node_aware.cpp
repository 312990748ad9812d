#include "schedule/embedding.hpp"
#include "schedule/exchange_stages.hpp"
#include "schedule/families.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/node_aware.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

/// What the blocks of a part are.
enum class PartBlocks {
  kToken,       ///< nothing: messages are all that counts
  kVector,      ///< equal shares of one vector
  kEverything,  ///< equal shares of all ranks' blocks
  kMembers,     ///< one for each member of a group, or each node
};

bool is_vector(Collective collective) {
  return collective == Collective::kBcast || collective == Collective::kReduce || collective == Collective::kAllreduce;
}

/// Equal shares of `blocks` blocks for a part that has `shares` of its own.
void share_out(Index blocks, Index shares, Embedding& embedding) {
  const Index each = (blocks + shares - 1) / shares;
  const bool fits = each * shares == blocks;
  embedding.expansion = std::make_shared<const BlockExpansion>(
      BlockExpansion{.block_stride = each, .count = each, .limit = fits ? 0 : blocks});
  if (fits) {
    embedding.weights = BlockLayout::uniform(shares, each);
  }
}

/// A part of the whole in one group of nodes, or among the leaders.
struct Part {
  Schedule schedule;
  Embedding embedding;
  PartBlocks blocks = PartBlocks::kVector;
};

class Composition {
 public:
  Composition(Collective collective, const ScheduleRequest& request, const NodeMap& map)
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

  Schedule build(const NodeParts& parts) {
    const NodePhases phases = node_phases(collective_);
    std::vector<std::vector<Part>> built;
    if (phases.up) {
      built.push_back(
          within_nodes(*phases.up, parts.up, phases.up == Collective::kBarrier ? PartBlocks::kToken : usual_blocks()));
    }
    built.push_back({among_leaders(phases.across, parts.across)});
    if (phases.down) {
      built.push_back(within_nodes(*phases.down, parts.down, down_blocks()));
    }
    if (is_vector(collective_)) {
      cut_vector(built);
    }
    Schedule whole{.layout = layout_};
    for (std::size_t phase = 0; phase < built.size(); ++phase) {
      const bool across = phase == (phases.up ? 1 : 0);
      append_phase(whole, std::move(built[phase]), across ? "between nodes" : "within nodes");
    }
    return whole;
  }

 private:
  [[nodiscard]] PartBlocks usual_blocks() const {
    return is_vector(collective_) ? PartBlocks::kVector : PartBlocks::kMembers;
  }

  [[nodiscard]] PartBlocks down_blocks() const {
    switch (collective_) {
      case Collective::kBarrier:
        return PartBlocks::kToken;
      case Collective::kAllgather:
        return PartBlocks::kEverything;
      default:
        return usual_blocks();
    }
  }

  std::vector<Part> within_nodes(Collective collective, const NodePart& part, PartBlocks blocks) {
    std::vector<Part> parts;
    for (const NodeGroup& group : map_.groups(root_)) {
      Embedding embedding{.numbering = group.numbering, .ranks = request_.ranks};
      if (blocks == PartBlocks::kMembers) {
        const GroupedNumbering& places = group.numbering;
        embedding.expansion =
            std::make_shared<const BlockExpansion>(BlockExpansion{.base = places.base,
                                                                  .group_stride = places.group_stride,
                                                                  .block_stride = places.member_stride,
                                                                  .members = places.places.ranks});
        embedding.stand_for = stand_for(collective);
        const bool rows = embedding.stand_for != MemberBlocks::kOwn;
        embedding.weights = BlockLayout::uniform(group.members, rows ? request_.ranks : 1);
      }
      parts.push_back(part_of(collective, part, group.members, group.leader, blocks, std::move(embedding)));
    }
    return parts;
  }

  [[nodiscard]] MemberBlocks stand_for(Collective collective) const {
    if (collective_ != Collective::kAlltoall) {
      return MemberBlocks::kOwn;
    }
    return collective == Collective::kGather ? MemberBlocks::kSent : MemberBlocks::kReceived;
  }

  Part among_leaders(Collective collective, const NodePart& part) {
    Embedding embedding{.numbering = map_.leaders(root_), .ranks = request_.ranks, .groups = map_.nodes()};
    const PartBlocks blocks = collective_ == Collective::kBarrier ? PartBlocks::kToken : usual_blocks();
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
    const Index root_node = root_ ? map_.node_of(*root_) : 0;
    return part_of(collective, part, map_.nodes(), root_node, blocks, std::move(embedding));
  }

  Part part_of(Collective collective, const NodePart& part, Index ranks, Index root, PartBlocks blocks,
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
  [[nodiscard]] Bytes bytes_of_part(Index ranks, PartBlocks blocks, const Embedding& embedding) const {
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
  [[nodiscard]] Index largest_weight(const Embedding& embedding) const {
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
  [[nodiscard]] Bytes largest_block(Index ranks, const Embedding& embedding) const {
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

  void cut_vector(std::vector<std::vector<Part>>& phases) {
    constexpr Index kMostBlocks = Index{1} << 40;
    Index blocks = 1;
    for (const std::vector<Part>& parts : phases) {
      for (const Part& part : parts) {
        const Index shares = part.schedule.layout.blocks();
        const Index factor = shares / std::gcd(blocks, shares);
        if (factor > kMostBlocks / blocks) {
          throw UsageError(
              "the nodes' sizes are too different to cut the vector for all of them; within nodes it must stay whole, "
              "as in a tree");
        }
        blocks *= factor;
      }
    }
    layout_ = BlockLayout::split(blocks, request_.bytes / request_.element_bytes, request_.element_bytes);
    for (std::vector<Part>& parts : phases) {
      for (Part& part : parts) {
        share_out(blocks, part.schedule.layout.blocks(), part.embedding);
      }
    }
  }

  static void append_phase(Schedule& whole, std::vector<Part> parts, const std::string& where) {
    std::vector<Stage> stages;
    for (const Part& part : parts) {
      join_stages(stages, embedded_stages(part.schedule, part.embedding, where));
    }
    whole.stages.insert(whole.stages.end(), stages.begin(), stages.end());
  }

  Collective collective_;
  const ScheduleRequest& request_;
  const NodeMap& map_;
  std::optional<Rank> root_;
  BlockLayout layout_;
};

std::string name_of_parts(const NodePhases& phases, const NodeParts& parts) {
  std::string name = "node-aware";
  if (phases.up) {
    name += " " + parts.up.algorithm;
  }
  name += " / " + parts.across.algorithm;
  return phases.down ? name + " / " + parts.down.algorithm : name;
}

}  // namespace

NodePhases node_phases(Collective collective) {
  switch (collective) {
    case Collective::kBcast:
      return {.across = Collective::kBcast, .down = Collective::kBcast};
    case Collective::kReduce:
      return {.up = Collective::kReduce, .across = Collective::kReduce};
    case Collective::kAllreduce:
      return {.up = Collective::kReduce, .across = Collective::kAllreduce, .down = Collective::kBcast};
    case Collective::kGather:
      return {.up = Collective::kGather, .across = Collective::kGather};
    case Collective::kScatter:
      return {.across = Collective::kScatter, .down = Collective::kScatter};
    case Collective::kAllgather:
      return {.up = Collective::kGather, .across = Collective::kAllgather, .down = Collective::kBcast};
    case Collective::kAlltoall:
      return {.up = Collective::kGather, .across = Collective::kAlltoall, .down = Collective::kScatter};
    case Collective::kBarrier:
      return {.up = Collective::kBarrier, .across = Collective::kBarrier, .down = Collective::kBcast};
    default:
      throw UsageError(fmt::format(
          "{} has no node-aware form; barrier, bcast, reduce, allreduce, gather, scatter, allgather and alltoall have",
          name_of(collective)));
  }
}

Schedule node_aware_schedule(Collective collective, const ScheduleRequest& request, const NodeMap& map,
                             const NodeParts& parts) {
  const NodePhases phases = node_phases(collective);
  check_request(collective, request);
  if (map.ranks() != request.ranks) {
    throw UsageError(fmt::format("the map of nodes has {} ranks, but P is {}", map.ranks(), request.ranks));
  }
  if (is_reduction(collective) && !request.commutative && !map.is_in_rank_order()) {
    throw UsageError(
        "sums of nodes keep the ranks' order only where all ranks of a node come before those of the next; here the "
        "operation must commute");
  }
  Schedule schedule = Composition(collective, request, map).build(parts);
  schedule.collective = collective;
  schedule.algorithm = name_of_parts(phases, parts);
  schedule.ranks = request.ranks;
  schedule.root = request.root;
  return schedule;
}

}  // namespace postage
