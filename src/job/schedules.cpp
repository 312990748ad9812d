#include "job/count_places.hpp"
#include "job/schedule_file.hpp"
#include "job/unused_options.hpp"

#include <postage/base/error.hpp>
#include <postage/job/schedules.hpp>

namespace postage {
namespace {

constexpr Rank kUsualRanks = 8;
constexpr const char* kUsualSize = "1K";

Mapping checked_mapping(const ScheduleOptions& options) {
  const std::optional<Mapping> mapping = given_mapping(options.mapping);
  if (!mapping) {
    throw UsageError("the mapping is missing: give --nodes and --per-node, or --mapping FILE");
  }
  check_capacity(*mapping, options.ranks);
  return *mapping;
}

Schedule build(const ScheduleOptions& options, const UnevenBlocks& blocks) {
  const Collective collective = parse_named_collective(options.collective).collective;
  ScheduleRequest request{
      .ranks = options.ranks,
      .root = options.root,
      .bytes = collective == Collective::kBarrier ? 0 : parse_bytes(options.size.empty() ? kUsualSize : options.size),
      .element_bytes = options.strides.parsed().run,
      .segment_bytes = parse_bytes(options.segment),
      .parameters = parse_settings(options.settings)};
  set_blocks(blocks, request);
  check_root(collective, options.root);
  check_node_aware(options.node_aware, !options.algorithm.empty(), !options.settings.empty());
  if (!options.node_aware.is_given()) {
    const Algorithm& algorithm = find_algorithm(collective, options.algorithm);
    check_segments(algorithm, request.segment_bytes);
    return build_schedule(algorithm, request);
  }
  return node_aware_schedule(collective, request, node_map_of(checked_mapping(options), options.ranks),
                             parts_of(options.node_aware));
}

Schedule schedule_from_file(ScheduleOptions& options) {
  if (!options.algorithm.empty() || options.counts.any() || options.node_aware.is_given() ||
      !options.settings.empty()) {
    throw UsageError(
        "--schedule says what is sent to whom: leave out --algorithm, --counts, --set, --within and --among");
  }
  CollectiveTree tree = read_agreeing(options.schedule, options.collective, options.ranks, options.root);
  options.ranks = tree.request.ranks;
  options.root = tree.request.root;
  if (!options.size.empty()) {
    tree = resized(std::move(tree), parse_bytes(options.size));
  }
  if (const Bytes segment = parse_bytes(options.segment); segment > 0) {
    tree.request.segment_bytes = segment;
  }
  return schedule_along(tree);
}

}  // namespace

ChannelNamer channel_namer(const ScheduleOptions& options) {
  if (!options.platform.empty()) {
    const Platform platform = read_platform(options.platform);
    const ChannelMap channels(platform, checked_mapping(options));
    return [channels, names = platform.channels](Rank source, Rank target) {
      return names[channels.channel_of(source, target)];
    };
  }
  if (!given_mapping(options.mapping)) {
    return [](Rank, Rank) { return std::string(); };
  }
  return [mapping = checked_mapping(options)](Rank source, Rank target) -> std::string {
    return mapping.placement_of(source).node == mapping.placement_of(target).node ? "intra-node" : kInterNode;
  };
}

Schedule schedule_of(ScheduleOptions& options) {
  if (!options.schedule.empty()) {
    return schedule_from_file(options);
  }
  if (options.collective.empty() || (options.algorithm.empty() && !options.node_aware.is_given())) {
    throw UsageError(
        "give a collective and an algorithm, like: postage schedule bcast binomial -P 8; --list names them");
  }
  const UnevenBlocks blocks = resolve_blocks(options.collective, options.counts, options.ranks);
  if (options.ranks == 0) {
    if (!blocks.empty()) {
      check_places(options.mapping, blocks);
    }
    options.ranks = blocks.empty() ? kUsualRanks : blocks.ranks;
  }
  return build(options, blocks);
}

}  // namespace postage
