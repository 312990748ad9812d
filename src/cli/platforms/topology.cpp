#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/table.hpp"
#include "cli/tables/outlier_table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/report/network_view.hpp>
#include <postage/samples/sample_files.hpp>
#include <postage/validate/outliers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct TopologyOptions {
  std::string platform = "platform.json";
  std::string output;
  std::vector<std::string> samples;
  double least = 100 * OutlierSettings{}.least;
  bool outliers = false;
  bool json = false;
};

void print_levels(const std::vector<LevelTime>& levels) {
  Table table({{"between"},
               {"size", Table::Align::kRight},
               {"one way", Table::Align::kRight},
               {"rate", Table::Align::kRight},
               {"up to", Table::Align::kRight},
               {"measured pairs", Table::Align::kRight}});
  for (const LevelTime& level : levels) {
    table.add_row({level.between, format_bytes(level.smallest), format_seconds(level.latency.value),
                   level.rate ? format_rate(level.rate->value) : "-", level.rate ? format_bytes(level.largest) : "-",
                   std::to_string(level.pairs)});
  }
  fmt::print("{}", table.render(output_width()));
}

void draw(const TopologyOptions& options, const Platform& platform) {
  const NetworkView view = network_view(platform);
  if (!options.output.empty()) {
    write_file(options.output, network_svg(view));
  }
  if (options.json) {
    fmt::print("{}\n", to_json(view).dump(1));
    return;
  }
  fmt::print("{}", network_text(view));
  if (!view.levels.empty()) {
    fmt::print("\none message alone:\n");
    print_levels(view.levels);
  }
  if (!options.output.empty()) {
    fmt::print("wrote {}\n", options.output);
  }
}

/// Of the samples, where there are some: they tell of more pairs. They must be of the platform's hosts.
HostPairTimes times_of(const TopologyOptions& options, const Platform& platform) {
  if (options.samples.empty()) {
    return host_pair_times(platform);
  }
  HostPairTimes times = host_pair_times(load_samples(options.samples));
  const auto is_missing = [&](const std::string& host) {
    return std::ranges::none_of(platform.nodes, [&](const Node& node) { return node.name == host; });
  };
  if (const auto other = std::ranges::find_if(times.hosts, is_missing); other != times.hosts.end()) {
    throw UsageError(
        fmt::format("--samples: host {} is none of platform {}: give the platform that was estimated from "
                    "these samples",
                    *other, options.platform));
  }
  times.network = platform.network;
  return times;
}

void name_outliers(const TopologyOptions& options, const Platform& platform) {
  const OutlierReport report = find_outliers(times_of(options, platform), {.least = options.least / 100});
  if (options.json) {
    fmt::print("{}\n", to_json(report).dump(1));
  } else {
    print_outliers(report);
  }
  if (!report.outliers.empty()) {
    throw Error(
        fmt::format("{} is slower than those that should be as fast{}", describe(report.outliers.front()),
                    report.outliers.size() > 1 ? fmt::format(", and {} more", report.outliers.size() - 1) : ""));
  }
  if (!options.json) {
    fmt::print("no host, group or cable is slower by more than {:g} % than those that should be as fast ({} pairs)\n",
               options.least, report.pairs);
  }
}

void run_topology(const TopologyOptions& options) {
  check_output_file("--output", options.output);
  if (!options.output.empty() && !options.output.ends_with(".svg")) {
    throw UsageError(fmt::format("--output {} is no drawing: give a name that ends in .svg", options.output));
  }
  const Platform platform = read_platform(options.platform);
  options.outliers ? name_outliers(options, platform) : draw(options, platform);
}

}  // namespace

void add_topology_command(Command& app) {
  Command command = app.subcommand("topology", "Draw the network and the nodes of a platform, or name what is slow");
  const auto options = std::make_shared<TopologyOptions>();
  command.option("--platform", options->platform, "Platform file").with_default();
  command.option("-o,--output", options->output, "Drawing to write, a file that ends in .svg");
  command.flag("--outliers", options->outliers,
               "Name hosts, groups and pairs of hosts that are slower than others of their class; the exit status is 1 "
               "where there is one");
  command
      .option("--samples", options->samples,
              "With --outliers: samples of the campaign, which tell of more pairs than the platform file")
      .one_at_a_time();
  command.option("--least", options->least, "With --outliers: percent by which something must be slower")
      .with_default()
      .range(0, 1000);
  command.flag("--json", options->json, "Print JSON");
  command.only_with({"--outliers"}, {"--samples", "--least"});
  command.not_with("--outliers", {"--output"});
  command.footer(
      "Examples:\n"
      "  postage topology --platform platform.json\n"
      "  postage topology --platform platform.json -o network.svg\n"
      "  postage topology --outliers --platform platform.json --samples samples/");
  command.action([options] { run_topology(*options); });
}

}  // namespace postage
