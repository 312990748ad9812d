#include "cli/commands.hpp"
#include "cli/job.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/report/space_time.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

namespace postage {
namespace {

struct Options {
  std::string collective;
  std::string algorithm;
  Rank ranks = 8;
  std::string size = "1K";
  Rank root = 0;
  std::string segment = "0";
  std::vector<std::string> settings;
  std::string within;
  std::string among;
  std::int32_t nodes = 0;
  std::int32_t per_node = 0;
  std::string mapping = "block";
  std::string platform;
  std::string svg;
  bool list = false;
  bool json = false;
};

/// Rounds that are printed one by one; a longer schedule is cut in its middle.
constexpr Index kShownRounds = 24;

std::string parameters_of(const Algorithm& algorithm) {
  std::string text;
  for (const AlgorithmParameter& parameter : algorithm.parameters) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", parameter.name, parameter.default_value);
  }
  return text;
}

std::string rank_rule_of(const Algorithm& algorithm) {
  switch (algorithm.rank_rule) {
    case RankRule::kPowerOfTwo:
      return "2^k";
    case RankRule::kEven:
      return "even";
    case RankRule::kAny:
      break;
  }
  return "any";
}

/// What stock libraries call it: "Open MPI 6, MPICH binomial, SMPI ompi_binomial".
std::string counterparts_of(const Algorithm& algorithm) {
  const Counterparts& names = algorithm.counterparts;
  std::string text;
  const auto add = [&](std::string_view library, const std::string& name) {
    text += name.empty() ? "" : fmt::format("{}{} {}", text.empty() ? "" : ", ", library, name);
  };
  add("Open MPI", names.open_mpi > 0 ? std::to_string(names.open_mpi) : "");
  add("MPICH", std::string(names.mpich));
  add("SMPI", std::string(names.smpi));
  return text;
}

void list_algorithms_as_json() {
  Json list = Json::array();
  for (const Algorithm& algorithm : algorithms()) {
    Json parameters = Json::array();
    for (const AlgorithmParameter& parameter : algorithm.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"summary", parameter.summary},
                            {"default", parameter.default_value},
                            {"minimum", parameter.minimum}});
    }
    list.push_back({{"collective", name_of(algorithm.collective)},
                    {"algorithm", algorithm.name},
                    {"summary", algorithm.summary},
                    {"segments", algorithm.segmentable},
                    {"keeps_order", algorithm.keeps_order},
                    {"ranks", rank_rule_of(algorithm)},
                    {"parameters", std::move(parameters)},
                    {"also_called", algorithm.also_called},
                    {"counterparts", counterparts_of(algorithm)}});
  }
  fmt::print("{}\n", list.dump(1));
}

void list_algorithms() {
  Table table({{"collective"}, {"algorithm"}, {"P"}, {"segments"}, {"--set"}, {"what it does"}, {"elsewhere"}});
  for (const Algorithm& algorithm : algorithms()) {
    table.add_row({std::string(name_of(algorithm.collective)), std::string(algorithm.name), rank_rule_of(algorithm),
                   algorithm.segmentable ? "yes" : "no", parameters_of(algorithm), std::string(algorithm.summary),
                   counterparts_of(algorithm)});
  }
  fmt::print("{}", table.render(output_width()));
}

/// Where the ranks sit; nothing where neither nodes nor a file was named.
std::optional<Mapping> mapping_of(const Options& options) {
  if (options.mapping != "block" && options.mapping != "cyclic") {
    return Mapping::from_file(options.mapping);
  }
  if (options.nodes == 0 && options.per_node == 0) {
    return std::nullopt;
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("--nodes and --per-node go together, each at least 1");
  }
  return options.mapping == "block" ? Mapping::block(options.nodes, options.per_node)
                                    : Mapping::cyclic(options.nodes, options.per_node);
}

Mapping checked_mapping(const Options& options) {
  const std::optional<Mapping> mapping = mapping_of(options);
  if (!mapping) {
    throw UsageError("say where the ranks sit: --nodes and --per-node, or --mapping FILE");
  }
  if (mapping->capacity() < options.ranks) {
    throw UsageError(
        fmt::format("the mapping has {} places, not enough for P = {}", mapping->capacity(), options.ranks));
  }
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
  if (!mapping_of(options)) {
    return [](Rank, Rank) { return std::string(); };
  }
  return [mapping = checked_mapping(options)](Rank source, Rank target) -> std::string {
    return mapping.placement_of(source).node == mapping.placement_of(target).node ? "intra-node" : kInterNode;
  };
}

Schedule schedule_of(const Options& options) {
  const Collective collective = parse_collective(options.collective);
  const ScheduleRequest request{.ranks = options.ranks,
                                .root = options.root,
                                .bytes = collective == Collective::kBarrier ? 0 : parse_bytes(options.size),
                                .segment_bytes = parse_bytes(options.segment),
                                .parameters = parse_settings(options.settings)};
  if (options.within.empty() && options.among.empty()) {
    return build_schedule(find_algorithm(collective, options.algorithm), request);
  }
  const Mapping mapping = checked_mapping(options);
  return node_aware_schedule(collective, request, node_map_of(mapping, options.ranks),
                             parse_node_parts(options.within, options.among));
}

struct ChannelTraffic {
  Index messages = 0;
  Bytes bytes = 0;
};

std::map<std::string, ChannelTraffic> traffic_by_channel(const Schedule& schedule, const ChannelNamer& channel_of) {
  std::map<std::string, ChannelTraffic> channels;
  for_each_transfer(schedule, [&](const RoundPosition&, const Transfer& t) {
    ChannelTraffic& channel = channels[channel_of(t.source, t.target)];
    ++channel.messages;
    channel.bytes += t.bytes;
  });
  return channels;
}

void print_rounds(const Schedule& schedule, const ChannelNamer& channel_of) {
  const Index rounds = traffic_of(schedule).rounds;
  const auto is_shown = [&](Index round) {
    return rounds <= kShownRounds || round < kShownRounds / 2 || round >= rounds - kShownRounds / 2;
  };
  Index number = 0;
  for_each_round(schedule, [&](const RoundPosition& position) {
    const Index round = number++;
    if (rounds > kShownRounds && round == kShownRounds / 2) {
      fmt::print("  ... {} more rounds\n", rounds - kShownRounds);
    }
    if (!is_shown(round)) {
      return;
    }
    std::string line;
    std::size_t count = 0;
    for_each_transfer(schedule, position, [&](const Transfer& t) {
      constexpr std::size_t shown = 8;
      const std::string channel = channel_of(t.source, t.target);
      if (count++ < shown) {
        line += fmt::format("  {}->{} {}{}", t.source, t.target, format_bytes(t.bytes),
                            channel.empty() ? "" : " " + channel);
      }
    });
    fmt::print("round {:>3}, {:>4} messages:{}{}\n", round, count, line, count > 8 ? "  ..." : "");
  });
}

void print_json(const Schedule& schedule, const ChannelNamer& channel_of) {
  Json rounds = Json::array();
  for_each_round(schedule, [&](const RoundPosition& position) {
    Json messages = Json::array();
    for_each_transfer(schedule, position, [&](const Transfer& t) {
      messages.push_back({{"source", t.source},
                          {"target", t.target},
                          {"bytes", t.bytes},
                          {"channel", channel_of(t.source, t.target)}});
    });
    rounds.push_back({{"segment", position.segment}, {"messages", std::move(messages)}});
  });
  const Traffic traffic = traffic_of(schedule);
  fmt::print("{}\n", Json{{"collective", name_of(schedule.collective)},
                          {"algorithm", schedule.algorithm},
                          {"P", schedule.ranks},
                          {"messages", traffic.messages},
                          {"bytes", traffic.bytes},
                          {"rounds", std::move(rounds)}}
                         .dump(1));
}

/// Above this, visiting every message takes longer than anyone wants to wait for.
constexpr Index kMostVisited = 50'000'000;

void run(const Options& options) {
  if (options.list) {
    options.json ? list_algorithms_as_json() : list_algorithms();
    return;
  }
  const bool composed = !options.within.empty() || !options.among.empty();
  if (options.collective.empty() || (options.algorithm.empty() && !composed)) {
    throw UsageError(
        "give a collective and an algorithm, like: postage schedule bcast binomial -P 8; --list names them");
  }
  const Schedule schedule = schedule_of(options);
  const ChannelNamer channel_of = channel_namer(options);
  if (!options.svg.empty()) {
    write_file(options.svg, draw_space_time(schedule, channel_of));
  }
  const Traffic traffic = traffic_of(schedule);
  if (options.json) {
    print_json(schedule, channel_of);
    return;
  }
  fmt::print("{} {}, P = {}: {} rounds, {} messages, {} bytes\n", options.collective, schedule.algorithm, options.ranks,
             traffic.rounds, traffic.messages, traffic.bytes);
  if (traffic.messages > kMostVisited) {
    return;
  }
  for (const auto& [channel, sum] : traffic_by_channel(schedule, channel_of)) {
    if (!channel.empty()) {
      fmt::print("  {}: {} messages, {} bytes\n", channel, sum.messages, sum.bytes);
    }
  }
  print_rounds(schedule, channel_of);
  if (!options.svg.empty()) {
    fmt::print("wrote {}\n", options.svg);
  }
}

}  // namespace

void add_schedule_command(Command& app) {
  Command command = app.subcommand("schedule", "Print or draw who sends what to whom, round by round");
  const auto options = std::make_shared<Options>();
  command.option("collective", options->collective, "A collective like bcast");
  command.option("algorithm", options->algorithm, "One of its algorithms");
  command.option("-P,--ranks", options->ranks, "Number of ranks").with_default();
  command.option("-m,--size", options->size, "Bytes of the message").with_default();
  command.option("--root", options->root, "Root rank").with_default();
  command.option("--segment", options->segment, "Bytes of a segment; 0 does not segment").with_default();
  command.option("--set", options->settings, "The algorithm's own parameter, like radix=4; may be given again");
  command.option("--within", options->within, "Node-aware: algorithm within nodes, or two for up and down");
  command.option("--among", options->among, "Node-aware: algorithm among the nodes' leaders");
  command.option("--nodes", options->nodes, "Nodes, to tell traffic inside them from traffic between them");
  command.option("--per-node", options->per_node, "Ranks on each node");
  command.option("--mapping", options->mapping, "block, cyclic, or a file with a line 'NODE SLOT' for each rank")
      .with_default();
  command.option("--platform", options->platform, "Platform file, to tell its channels apart");
  command.option("--svg", options->svg, "Also draw a space-time diagram into this file");
  command.flag("--list", options->list, "List every algorithm");
  command.flag("--json", options->json, "Print JSON");
  command.footer(
      "Examples:\n"
      "  postage schedule bcast binomial -P 16 -m 64K --nodes 4 --per-node 4 --svg bcast.svg\n"
      "  postage schedule allreduce -P 16 -m 64K --nodes 4 --per-node 4 --within binomial --among ring");
  command.action([options] { run(*options); });
}

}  // namespace postage
