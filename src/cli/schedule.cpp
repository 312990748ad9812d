#include "cli/commands.hpp"
#include "cli/options/counts.hpp"
#include "cli/options/job.hpp"
#include "cli/options/output_file.hpp"
#include "cli/tables/algorithm_list.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/report/schedule_text.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

struct Options {
  std::string collective;
  std::string algorithm;
  Rank ranks = 0;
  std::string size = "1K";
  Rank root = 0;
  std::string segment = "0";
  CountOptions counts;
  StrideOptions strides;
  std::vector<std::string> settings;
  NodeAwareOptions node_aware;
  MappingOptions mapping;
  std::string platform;
  std::string svg;
  bool list = false;
  bool json = false;
};

constexpr Rank kUsualRanks = 8;

/// Above this, visiting every message takes minutes.
constexpr Index kMostVisited = 50'000'000;

Mapping checked_mapping(const Options& options) {
  const std::optional<Mapping> mapping = given_mapping(options.mapping);
  if (!mapping) {
    throw UsageError("the mapping is missing: give --nodes and --per-node, or --mapping FILE");
  }
  check_capacity(*mapping, options.ranks);
  return *mapping;
}

ChannelNamer channel_namer(const Options& options) {
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

Schedule schedule_of(const Options& options, const UnevenBlocks& blocks) {
  const Collective collective = parse_named_collective(options.collective).collective;
  ScheduleRequest request{.ranks = options.ranks,
                          .root = options.root,
                          .bytes = collective == Collective::kBarrier ? 0 : parse_bytes(options.size),
                          .element_bytes = options.strides.parsed().run,
                          .segment_bytes = parse_bytes(options.segment),
                          .parameters = parse_settings(options.settings)};
  set_blocks(blocks, request);
  if (!options.node_aware.is_given()) {
    const Algorithm& algorithm = find_algorithm(collective, options.algorithm);
    check_segments(algorithm, request.segment_bytes);
    return build_schedule(algorithm, request);
  }
  return node_aware_schedule(collective, request, node_map_of(checked_mapping(options), options.ranks),
                             parts_of(options.node_aware));
}

void print_schedule(const Schedule& schedule, const ChannelNamer& channel_of, const Strides& strides) {
  const Traffic traffic = traffic_of(schedule);
  fmt::print("{} {}, P = {}: {} rounds, {} messages, {} bytes\n", name_of(schedule.collective), schedule.algorithm,
             schedule.ranks, traffic.rounds, traffic.messages, traffic.bytes);
  if (!strides.is_contiguous()) {
    fmt::print("  pieces of {} bytes, {} bytes from start to start\n", strides.run, strides.stride);
  }
  if (traffic.messages > kMostVisited) {
    return;
  }
  for (const auto& [channel, sum] : traffic_by_channel(schedule, channel_of)) {
    if (!channel.empty()) {
      fmt::print("  {}: {} messages, {} bytes\n", channel, sum.messages, sum.bytes);
    }
  }
  fmt::print("{}", rounds_text(schedule, channel_of, strides));
}

void run(Options options) {
  if (options.list) {
    options.json ? fmt::print("{}\n", algorithms_as_json().dump(1)) : print_algorithms();
    return;
  }
  if (options.collective.empty() || (options.algorithm.empty() && !options.node_aware.is_given())) {
    throw UsageError(
        "give a collective and an algorithm, like: postage schedule bcast binomial -P 8; --list names them");
  }
  check_output_file("--svg", options.svg);
  const UnevenBlocks blocks = resolve_blocks(options.collective, options.counts, options.ranks);
  if (options.ranks == 0) {
    options.ranks = blocks.empty() ? kUsualRanks : blocks.ranks;
  }
  const Schedule schedule = schedule_of(options, blocks);
  const Strides strides = options.strides.parsed();
  const ChannelNamer channel_of = channel_namer(options);
  if (!options.svg.empty()) {
    write_file(options.svg, draw_space_time(schedule, channel_of));
  }
  if (options.json) {
    fmt::print("{}\n", schedule_json(schedule, channel_of, strides).dump(1));
    return;
  }
  print_schedule(schedule, channel_of, strides);
  if (!options.svg.empty()) {
    fmt::print("wrote {}\n", options.svg);
  }
}

}  // namespace

void add_schedule_command(Command& app) {
  Command command = app.subcommand("schedule", "Print or draw the messages of an algorithm, round by round");
  const auto options = std::make_shared<Options>();
  command.option("collective", options->collective, "A collective like bcast");
  command.option("algorithm", options->algorithm, "One of its algorithms");
  command.option("-P,--ranks", options->ranks, "Number of ranks; by default 8, or those of --counts");
  command.option("-m,--size", options->size, "Message size in bytes").with_default();
  add_count_options(command, options->counts);
  command.option("--root", options->root, "Root rank").with_default();
  command.option("--segment", options->segment, "Segment size in bytes; 0 sends whole messages").with_default();
  add_stride_options(command, options->strides);
  command.option("--set", options->settings, "Parameter of the algorithm, like radix=4; may be repeated");
  add_node_aware_options(command, options->node_aware);
  add_mapping_options(command, options->mapping);
  command.option("--platform", options->platform, "Platform file, whose channels the messages are listed by");
  command.option("--svg", options->svg, "SVG file to write: a space-time diagram");
  command.flag("--list", options->list, "List every algorithm");
  command.flag("--json", options->json, "Print JSON");
  command.footer(
      "Examples:\n"
      "  postage schedule bcast binomial -P 16 -m 64K --nodes 4 --per-node 4 --svg bcast.svg\n"
      "  postage schedule allreduce -P 16 -m 64K --nodes 4 --per-node 4 --within binomial --among ring");
  command.action([options] { run(*options); });
}

}  // namespace postage
