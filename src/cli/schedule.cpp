#include "cli/commands.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/report/space_time.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace postage {
namespace {

struct Options {
  std::string collective;
  std::string algorithm;
  Rank ranks = 8;
  std::string size = "1K";
  Rank root = 0;
  std::string segment = "0";
  std::int32_t nodes = 0;
  std::int32_t per_node = 0;
  std::string mapping = "block";
  std::string svg;
  bool list = false;
  bool json = false;
};

/// Rounds that are printed one by one; a longer schedule is cut in its middle.
constexpr Index kShownRounds = 24;

void list_algorithms() {
  Table table({{"collective"}, {"algorithm"}, {"segments"}, {"what it does"}});
  for (const Algorithm& algorithm : algorithms()) {
    table.add_row({std::string(name_of(algorithm.collective)), std::string(algorithm.name),
                   algorithm.segmentable ? "yes" : "no", std::string(algorithm.summary)});
  }
  fmt::print("{}", table.render(output_width()));
}

ChannelNamer channel_namer(const Options& options) {
  if (options.nodes == 0 && options.per_node == 0) {
    return [](Rank, Rank) { return std::string(); };
  }
  if (options.nodes < 1 || options.per_node < 1) {
    throw UsageError("--nodes and --per-node go together, each at least 1");
  }
  if (options.mapping != "block" && options.mapping != "cyclic") {
    throw UsageError(unknown_name("mapping", options.mapping, "block, cyclic"));
  }
  const Mapping mapping = options.mapping == "block" ? Mapping::block(options.nodes, options.per_node)
                                                     : Mapping::cyclic(options.nodes, options.per_node);
  if (mapping.capacity() < options.ranks) {
    throw UsageError(fmt::format("{} nodes with {} ranks each have no place for P = {}", options.nodes,
                                 options.per_node, options.ranks));
  }
  return [mapping](Rank source, Rank target) -> std::string {
    return mapping.place_of(source).node == mapping.place_of(target).node ? "intra-node" : kInterNode;
  };
}

struct ChannelTraffic {
  Index messages = 0;
  Bytes bytes = 0;
};

std::map<std::string, ChannelTraffic> traffic_by_channel(const Schedule& schedule, const ChannelNamer& channel_of) {
  std::map<std::string, ChannelTraffic> channels;
  for_each_transfer(schedule, [&](const Place&, const Transfer& t) {
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
  for_each_place(schedule, [&](const Place& place) {
    const Index round = number++;
    if (rounds > kShownRounds && round == kShownRounds / 2) {
      fmt::print("  ... {} more rounds\n", rounds - kShownRounds);
    }
    if (!is_shown(round)) {
      return;
    }
    std::string line;
    std::size_t count = 0;
    for_each_transfer(schedule, place, [&](const Transfer& t) {
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
  nlohmann::json rounds = nlohmann::json::array();
  for_each_place(schedule, [&](const Place& place) {
    nlohmann::json messages = nlohmann::json::array();
    for_each_transfer(schedule, place, [&](const Transfer& t) {
      messages.push_back({{"source", t.source},
                          {"target", t.target},
                          {"bytes", t.bytes},
                          {"channel", channel_of(t.source, t.target)}});
    });
    rounds.push_back({{"segment", place.segment}, {"messages", std::move(messages)}});
  });
  const Traffic traffic = traffic_of(schedule);
  fmt::print("{}\n", nlohmann::json{{"collective", name_of(schedule.collective)},
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
    list_algorithms();
    return;
  }
  if (options.collective.empty() || options.algorithm.empty()) {
    throw UsageError(
        "give a collective and an algorithm, like: postage schedule bcast binomial -P 8; --list names them");
  }
  const Collective collective = parse_collective(options.collective);
  const Schedule schedule = build_schedule(find_algorithm(collective, options.algorithm),
                                           {.ranks = options.ranks,
                                            .root = options.root,
                                            .bytes = collective == Collective::kBarrier ? 0 : parse_bytes(options.size),
                                            .segment_bytes = parse_bytes(options.segment)});
  const ChannelNamer channel_of = channel_namer(options);
  if (!options.svg.empty()) {
    write_file(options.svg, draw_space_time(schedule, channel_of));
  }
  const Traffic traffic = traffic_of(schedule);
  if (options.json) {
    print_json(schedule, channel_of);
    return;
  }
  fmt::print("{} {}, P = {}: {} rounds, {} messages, {} bytes\n", options.collective, options.algorithm, options.ranks,
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

void add_schedule_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schedule", "Print or draw who sends what to whom, round by round");
  const auto options = std::make_shared<Options>();
  command->add_option("collective", options->collective, "A collective like bcast");
  command->add_option("algorithm", options->algorithm, "One of its algorithms");
  command->add_option("-P,--ranks", options->ranks, "Number of ranks")->capture_default_str();
  command->add_option("-m,--size", options->size, "Bytes of the message")->capture_default_str();
  command->add_option("--root", options->root, "Root rank")->capture_default_str();
  command->add_option("--segment", options->segment, "Bytes of a segment; 0 does not segment")->capture_default_str();
  command->add_option("--nodes", options->nodes, "Nodes, to tell traffic inside them from traffic between them");
  command->add_option("--per-node", options->per_node, "Ranks on each node");
  command->add_option("--mapping", options->mapping, "block or cyclic")->capture_default_str();
  command->add_option("--svg", options->svg, "Also draw a space-time diagram into this file");
  command->add_flag("--list", options->list, "List every algorithm");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer("Example:\n  postage schedule bcast binomial -P 16 -m 64K --nodes 4 --per-node 4 --svg bcast.svg");
  command->callback([options] { run(*options); });
}

}  // namespace postage
