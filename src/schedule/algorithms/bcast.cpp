#include "schedule/algorithms/families.hpp"
#include "schedule/patterns/butterflies.hpp"
#include "schedule/patterns/chains.hpp"
#include "schedule/patterns/halves.hpp"
#include "schedule/patterns/rings.hpp"
#include "schedule/patterns/trees.hpp"
#include "schedule/patterns/vectors.hpp"

#include <algorithm>

namespace postage {
namespace {

Schedule schedule_of(const ScheduleRequest& request, Index blocks, std::vector<Stage> stages) {
  Schedule schedule;
  schedule.layout = cut_vector(request, blocks);
  schedule.stages = std::move(stages);
  return schedule;
}

Schedule tree_schedule(const ScheduleRequest& request, const Tree& tree) {
  return schedule_of(request, 1, {{.name = "tree", .rounds = downward(tree, from_root(request), whole_vector())}});
}

Schedule linear(const ScheduleRequest& request) {
  return tree_schedule(request, {{{.count = request.ranks - 1, .target_first = 1, .target_stride = 1}}});
}

Schedule chain(const ScheduleRequest& request) {
  return schedule_of(request, 1,
                     {chains_down(request.ranks, request.parameter("chains"), from_root(request), whole_vector())});
}

Schedule pipeline(const ScheduleRequest& request) {
  return schedule_of(request, 1, {pipeline_down(request.ranks, from_root(request), whole_vector(), Combine::kCopy)});
}

Schedule binary(const ScheduleRequest& request) {
  return tree_schedule(request, request.parameter("heap") != 0 ? heap_tree(request.ranks) : binary_tree(request.ranks));
}

Schedule binomial(const ScheduleRequest& request) {
  return tree_schedule(request, binomial_tree(request.ranks));
}

Schedule binomial_doubling(const ScheduleRequest& request) {
  return tree_schedule(request, doubling_tree(request.ranks));
}

Schedule knomial(const ScheduleRequest& request) {
  return tree_schedule(request, knomial_tree(request.ranks, request.parameter("radix")));
}

/// A level of the binary tree, the odd parents and the even ones apart: they pass on different halves.
Round split_level(const ScheduleRequest& request, Index width) {
  Round round;
  for (const Index shift : {width, 2 * width}) {
    for (const Index first : {width - 1, width}) {
      const Index parents = (width + (first < width ? 1 : 0)) / 2;
      const AffinePairs pairs{.count = std::min(parents, terms_below(request.ranks, first + shift, 2)),
                              .source_first = first,
                              .source_stride = 2,
                              .target_first = first + shift,
                              .target_stride = 2};
      if (pairs.count > 0) {
        round.patterns.push_back({pairs, from_root(request), fixed_blocks(1, (first + shift + 1) % 2)});
      }
    }
  }
  return round;
}

/// Ranks 1 and 2, 3 and 4, ... exchange halves; a last one without a partner gets its second half from the root.
Stage swap_with_neighbours(const ScheduleRequest& request) {
  const Index others = request.ranks - 1;
  const Index couples = others / 2;
  Round round;
  if (couples > 0) {
    const AffinePairs odd_to_even{
        .count = couples, .source_first = 1, .source_stride = 2, .target_first = 2, .target_stride = 2};
    const AffinePairs even_to_odd{
        .count = couples, .source_first = 2, .source_stride = 2, .target_first = 1, .target_stride = 2};
    round.patterns.push_back({odd_to_even, from_root(request), fixed_blocks(1, 0)});
    round.patterns.push_back({even_to_odd, from_root(request), fixed_blocks(1, 1)});
  }
  if (others % 2 == 1) {
    const AffinePairs root_to_last{.count = 1, .target_first = others};
    round.patterns.push_back({root_to_last, from_root(request), fixed_blocks(1, 1)});
  }
  return {.name = "exchange", .rounds = {std::move(round)}, .may_be_segmented = false};
}

Schedule split_binary(const ScheduleRequest& request) {
  Stage trees{.name = "trees"};
  for (Index width = 1; 2 * width - 1 < request.ranks; width *= 2) {
    trees.rounds.push_back(split_level(request, width));
  }
  return schedule_of(request, 2, {std::move(trees), swap_with_neighbours(request)});
}

Stage scatter(const ScheduleRequest& request) {
  return {.name = "scatter", .rounds = binomial_scatter(request.ranks, from_root(request))};
}

Schedule scatter_rd_allgather(const ScheduleRequest& request) {
  return schedule_of(
      request, request.ranks,
      {scatter(request), {.name = "allgather", .rounds = doubling_allgather(request.ranks, from_root(request))}});
}

Schedule scatter_ring_allgather(const ScheduleRequest& request) {
  return schedule_of(request, request.ranks, {scatter(request), ring_allgather(request.ranks, 0, from_root(request))});
}

/// Ali et al., section 5.2: each message is acknowledged before the next one starts, so that the largest sub-tree's
/// does not share the sender with the others'.
Schedule binomial_opt(const ScheduleRequest& request) {
  return with_protocol(binomial(request), Protocol::kAcknowledged);
}

/// Ali et al., section 5.2: a rank does not wait for acknowledgements between its messages, so that all of its children
/// get the data at about the same time.
Schedule binomial_simple(const ScheduleRequest& request) {
  return with_protocol(binomial(request), Protocol::kGet);
}

Schedule segmented_binomial(const ScheduleRequest& request) {
  Stage stage{.name = "halves", .rounds = halves_bcast(request.ranks, from_root(request))};
  return acknowledged_if_asked(request, schedule_of(request, 2, {std::move(stage)}));
}

/// Consecutive ranks, one of which speaks for them.
struct Group {
  Index first = 0;
  Index size = 0;
  Index leader = 0;
};

/// As even as possible, the larger ones first; listed from the root's on, whose leader is the root.
std::vector<Group> groups_of(const ScheduleRequest& request) {
  const Index count = std::min<Index>(request.parameter("groups"), request.ranks);
  const BlockLayout cut = BlockLayout::split(count, request.ranks, 1);
  std::vector<Group> groups;
  for (Index g = 0; g < count; ++g) {
    groups.push_back({cut.offset(g), cut.size(g), cut.offset(g)});
  }
  const auto with_root = std::find_if(groups.begin(), groups.end(),
                                      [&](const Group& group) { return request.root < group.first + group.size; });
  with_root->leader = request.root;
  std::rotate(groups.begin(), with_root, groups.end());
  return groups;
}

std::vector<Round> bcast_to_leaders(const std::vector<Group>& groups, Index ranks) {
  std::vector<Round> rounds;
  for (const TreeLevel& level : binomial_tree(static_cast<Index>(groups.size()))) {
    Round& round = rounds.emplace_back();
    for (Index i = 0; i < level.front().count; ++i) {
      const Pair pair = pair_at(level.front(), i, 0);
      round.patterns.push_back(single_message(groups[static_cast<std::size_t>(pair.source)].leader,
                                              groups[static_cast<std::size_t>(pair.target)].leader, fixed_blocks(2),
                                              ranks));
    }
  }
  return rounds;
}

/// All groups at once; they are independent of one another.
std::vector<Round> halves_in_groups(const std::vector<Group>& groups) {
  std::vector<Round> rounds;
  for (const Group& group : groups) {
    const LinearNumbering numbering{.offset = group.leader - group.first, .ranks = group.size, .base = group.first};
    const std::vector<Round> own = halves_bcast(group.size, numbering);
    rounds.resize(std::max(rounds.size(), own.size()));
    for (std::size_t r = 0; r < own.size(); ++r) {
      rounds[r].patterns.insert(rounds[r].patterns.end(), own[r].patterns.begin(), own[r].patterns.end());
    }
  }
  return rounds;
}

/// Ali et al., section 5.2, where the groups are two chips.
Schedule hybrid_segmented(const ScheduleRequest& request) {
  const std::vector<Group> groups = groups_of(request);
  return acknowledged_if_asked(request,
                               schedule_of(request, 2,
                                           {{.name = "leaders", .rounds = bcast_to_leaders(groups, request.ranks)},
                                            {.name = "halves", .rounds = halves_in_groups(groups)}}));
}

constexpr bool kSegmentable = true;

Algorithm bcast(std::string_view name, std::string_view summary, bool segmentable,
                Schedule (*build)(const ScheduleRequest&), const Counterparts& counterparts = {},
                std::vector<AlgorithmParameter> parameters = {}) {
  return {.collective = Collective::kBcast,
          .name = name,
          .summary = summary,
          .segmentable = segmentable,
          .build = build,
          .parameters = std::move(parameters),
          .counterparts = counterparts};
}

}  // namespace

std::vector<Algorithm> bcast_algorithms() {
  std::vector<Algorithm> all{
      bcast("linear", "the root sends to every other rank, in rank order", !kSegmentable, linear,
            {.open_mpi = 1, .smpi = "flattree"}),
      bcast("chain", "the root sends along several chains of ranks", kSegmentable, chain, {.open_mpi = 2},
            {{"chains", "number of chains", 4, 1}}),
      bcast("pipeline", "each rank passes the message to the next", kSegmentable, pipeline,
            {.open_mpi = 3, .smpi = "ompi_pipeline"}),
      bcast("binary", "every rank passes the message to two more", kSegmentable, binary, {.open_mpi = 5},
            {{"heap", "1 where rank v passes it to 2v + 1 and 2v + 2; 0: Open MPI's tree", 0, 0, 1}}),
      bcast("split-binary",
            "one half of the message down each sub-tree of a binary tree, then neighbours exchange halves",
            kSegmentable, split_binary, {.open_mpi = 4}),
      bcast("binomial", "in each round every rank that has the message passes it on, first to the farthest",
            kSegmentable, binomial, {.mpich = "binomial", .smpi = "binomial_tree"}),
      bcast("binomial-doubling", "in each round every rank that has the message passes it on, first to the nearest",
            kSegmentable, binomial_doubling, {.open_mpi = 6}),
      bcast("knomial", "in each round every rank that has the message passes it to radix - 1 more", kSegmentable,
            knomial, {.open_mpi = 7, .smpi = "mvapich2_knomial_intra_node"},
            {{"radix", "ranks in each smallest sub-tree", 4, 2, 256}}),
      bcast("scatter-rd-allgather", "binomial scatter, then allgather by recursive doubling", !kSegmentable,
            scatter_rd_allgather,
            {.open_mpi = 8, .mpich = "scatter_recursive_doubling_allgather", .smpi = "scatter_rdb_allgather"}),
      bcast("scatter-ring-allgather", "binomial scatter, then allgather around a ring", !kSegmentable,
            scatter_ring_allgather, {.open_mpi = 9, .mpich = "scatter_ring_allgather", .smpi = "scatter_LR_allgather"}),
      bcast("binomial-opt", "binomial, each message a get that is acknowledged before the next starts", !kSegmentable,
            binomial_opt),
      bcast("binomial-simple", "binomial, each message a get, for whose acknowledgement the next does not wait",
            !kSegmentable, binomial_simple),
      bcast("segmented-binomial", "each half of the ranks gets one half of the message, then partners exchange halves",
            !kSegmentable, segmented_binomial, {}, {kAcknowledged}),
      bcast("hybrid-segmented", "the whole message to one rank of each group, segmented-binomial within the groups",
            !kSegmentable, hybrid_segmented, {},
            {{"groups", "groups of consecutive ranks: chips, nodes", 2, 1, 256}, kAcknowledged}),
  };
  all.front().also_called = {"one-to-all"};
  return all;
}

}  // namespace postage
