#include "blade/benchmarks/parameters.hpp"
#include "blade/programs/points.hpp"
#include "blade/transport/cluster.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/options.hpp>

#include <fmt/format.h>
#include <xbt/log.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>

namespace postage::blade {
namespace {

void print_or_write(const Json& json, const std::string& output) {
  const std::string text = json.dump(1) + "\n";
  if (output.empty()) {
    fmt::print("{}", text);
  } else {
    write_file(output, text);
  }
}

struct NamedExtent {
  const char* name;
  Extent extent;
  int blades;
};
constexpr std::array<NamedExtent, 3> kExtents{
    {{"chip", Extent::kChip, 1}, {"blade", Extent::kBlade, 1}, {"cluster", Extent::kCluster, 2}}};

struct Options {
  std::string output;
  std::string gap = "gets";
  std::string points;
  std::string sizes = "64:32K:x2";
  std::string extent = "blade";
  std::int32_t blades = 4;
};

void add_parameters(CommandLine& line, Options& options) {
  Command command =
      line.subcommand("parameters", "Run the micro-benchmarks and write the parameters as a platform file");
  command.option("--of", options.extent, "What is measured: a chip, a blade, or also what joins blades")
      .one_of({"chip", "blade", "cluster"})
      .with_default();
  command
      .option("--gap", options.gap,
              "How g(m) is measured: by gets from one SPE at once, or by Kielmann's roundtrips, without congestion")
      .one_of({"gets", "kielmann"})
      .with_default();
  command.option("-o,--output", options.output, "File to write; without it, standard output");
  command.action([&options] {
    const NamedExtent& of = *std::find_if(kExtents.begin(), kExtents.end(),
                                          [&](const NamedExtent& extent) { return extent.name == options.extent; });
    Machine machine(of.blades);
    const GapMethod method = options.gap == "gets" ? GapMethod::kGetsFromRoot : GapMethod::kKielmann;
    print_or_write(to_json(measure_parameters(machine, of.extent, method)), options.output);
  });
}

void add_run(CommandLine& line, Options& options) {
  Command command = line.subcommand("run", "Simulate collectives on a blade, whose bytes are checked");
  command.option("points", options.points, "File of lines like \"16 allgather:hybrid:4K x=3\"").required();
  command.option("-o,--output", options.output, "File to write; without it, standard output");
  command.action([&options] {
    const std::vector<BladePoint> points = parse_points(read_file(options.points), options.points);
    Machine machine(1);
    print_or_write(run_points(machine, points), options.output);
  });
}

void add_cluster(CommandLine& line, Options& options) {
  Command command = line.subcommand("cluster", "Simulate a barrier and broadcasts over all SPEs of several blades");
  command.option("--blades", options.blades, "Blades of 16 SPEs").range(2, 64).with_default();
  command.option("--sizes", options.sizes, "Sizes of the broadcasts").with_default();
  command.option("-o,--output", options.output, "File to write; without it, standard output");
  command.action([&options] {
    const std::vector<Bytes> sizes = parse_sizes(options.sizes);
    Machine machine(options.blades);
    const auto seconds = [&](Cycles cycles) { return machine.hardware().seconds(cycles); };
    Json bcasts = Json::array();
    for (const Bytes bytes : sizes) {
      bcasts.push_back({{"bytes", bytes}, {"seconds", seconds(cluster_bcast(machine, bytes))}});
    }
    print_or_write({{"blades", options.blades}, {"barrier", seconds(cluster_barrier(machine))}, {"bcast", bcasts}},
                   options.output);
  });
}

int run(int argc, char** argv) {
  Options options;
  CommandLine line("postage-blade", "A Cell blade, simulated with SimGrid: micro-benchmarks and collectives");
  line.require_subcommand();
  add_parameters(line, options);
  add_run(line, options);
  add_cluster(line, options);
  fmt::print("{}", line.parse(argc, argv));
  return 0;
}

}  // namespace
}  // namespace postage::blade

int main(int argc, char** argv) {
  xbt_log_control_set("xbt_cfg.thres:warning");
  try {
    return postage::blade::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "postage-blade: {}\n", error.what());
    return dynamic_cast<const postage::UsageError*>(&error) != nullptr ? 2 : 1;
  }
}
