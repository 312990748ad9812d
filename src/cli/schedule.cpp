#include "cli/commands.hpp"
#include "cli/options/job_options.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/tables/algorithm_list.hpp"

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/job/algorithm_list.hpp>
#include <postage/job/schedules.hpp>
#include <postage/predict/traces/goal.hpp>
#include <postage/report/schedule_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct ScheduleCommand : ScheduleOptions {
  std::string svg;
  std::string goal;
  bool list = false;
  bool json = false;
};

/// Above this, visiting every message takes minutes.
constexpr Index kMostVisited = 50'000'000;

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

/// True where some message is sent by a protocol of its own, with requests or acknowledgements beside it.
bool has_protocols(const Schedule& schedule) {
  const auto in_pattern = [](const Pattern& pattern) { return pattern.protocol != Protocol::kDefault; };
  const auto in_round = [&](const Round& round) { return std::ranges::any_of(round.patterns, in_pattern); };
  return std::ranges::any_of(schedule.stages,
                             [&](const Stage& stage) { return std::ranges::any_of(stage.rounds, in_round); });
}

void write_goal(const std::string& path, const Schedule& schedule) {
  write_file(path, goal_text(trace_of(schedule)));
  if (has_protocols(schedule)) {
    print_remark("postage: {} {} has requests and acknowledgements beside its messages; {} has the messages alone\n",
                 name_of(schedule.collective), schedule.algorithm, path);
  }
}

void run(ScheduleCommand options) {
  if (options.list) {
    options.json ? fmt::print("{}\n", algorithms_as_json().dump(1)) : print_algorithms();
    return;
  }
  check_output_file("--svg", options.svg);
  check_output_file("--goal", options.goal);
  const Schedule schedule = schedule_of(options);
  const Strides strides = options.strides.parsed();
  const ChannelNamer channel_of = channel_namer(options);
  if (!options.svg.empty()) {
    write_file(options.svg, draw_space_time(schedule, channel_of));
  }
  if (!options.goal.empty()) {
    write_goal(options.goal, schedule);
  }
  if (options.json) {
    fmt::print("{}\n", schedule_json(schedule, channel_of, strides).dump(1));
    return;
  }
  print_schedule(schedule, channel_of, strides);
  for (const std::string& file : {options.svg, options.goal}) {
    file.empty() ? void() : fmt::print("wrote {}\n", file);
  }
}

}  // namespace

void add_schedule_command(Command& app) {
  Command command = app.subcommand("schedule", "Print or draw the messages of an algorithm, round by round");
  const auto options = std::make_shared<ScheduleCommand>();
  command.option("collective", options->collective, "A collective like bcast");
  add_algorithm_options(command, options->algorithm, "One of its algorithms");
  command.option("--schedule", options->schedule,
                 "Schedule file that postage optimize tree wrote, instead of an algorithm");
  command.option("-P,--ranks", options->ranks, "Number of ranks; by default 8, or those of --counts or --schedule")
      .range(1, 1 << 30);
  command.option("-m,--size", options->size, "Message size in bytes; by default 1K, or that of --schedule");
  add_count_options(command, options->counts);
  command.option("--root", options->root, "Root rank").with_default();
  command.option("--segment", options->segment, "Segment size in bytes; 0 sends whole messages").with_default();
  add_stride_options(command, options->strides);
  command.option("--set", options->settings, "Parameter of the algorithm, like radix=4; may be repeated");
  add_node_aware_options(command, options->node_aware);
  add_mapping_options(command, options->mapping);
  command.option("--platform", options->platform, "Platform file, whose channels the messages are listed by");
  command.option("--svg", options->svg, "SVG file to write: a space-time diagram");
  command.option("--goal", options->goal, "File to write the messages to in GOAL, the language of LogGOPSim");
  command.flag("--list", options->list, "List every algorithm");
  command.flag("--json", options->json, "Print JSON");
  command.not_with("--counts", {"--size"});
  command.not_with("--schedule", {"--counts", "--set", "--stride", "--within", "--among"});
  command.not_with("--list", {"collective", "algorithm", "--algorithm", "--ranks", "--size", "--counts", "--root",
                              "--segment", "--stride", "--set", "--schedule", "--within", "--among", "--nodes",
                              "--per-node", "--mapping", "--platform", "--svg", "--goal"});
  command.footer(
      "Examples:\n"
      "  postage schedule bcast binomial -P 16 -m 64K --nodes 4 --per-node 4 --svg bcast.svg\n"
      "  postage schedule allreduce -P 16 -m 64K --nodes 4 --per-node 4 --within binomial --among ring\n"
      "  postage schedule --schedule scatterv.json --svg scatterv.svg");
  command.action([options] { run(*options); });
}

}  // namespace postage
