#include "cli/commands.hpp"
#include "cli/launching.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/estimate/estimate.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace postage {
namespace {

struct Options {
  LaunchOptions launch;
  std::string output = "platform.json";
  std::string samples;
  std::string name;
  std::string sizes;
  std::string train_sizes;
  bool json = false;
};

std::vector<std::string> experiments_of(const Options& options) {
  // A simulated message of 4 MiB says no more than one of 1 MiB, and the campaign has 120 pairs.
  const bool is_virtual = !options.launch.virtual_name.empty();
  const std::string sizes = !options.sizes.empty() ? options.sizes : is_virtual ? "1:1M:x4" : "1:4M:x2";
  const std::string trains = !options.train_sizes.empty() ? options.train_sizes : "1,1K,64K";
  std::vector<std::string> experiments{"--sizes", sizes, "--train-sizes", trains};
  if (options.launch.channel) {
    experiments.emplace_back("--thresholds");
  }
  return experiments;
}

std::string shorter(const Estimate& e, const char* unit) {
  if (std::string(unit) == "s/B") {
    return e.value > 0 ? format_rate(1 / e.value) : "0 s/B";
  }
  return format_seconds(e.value);
}

/// "at 32K", or a dash for a way that is never taken.
std::string from_size(Bytes bytes) {
  return bytes >= ChannelThresholds::kNever ? "-" : format_bytes(bytes);
}

void print_thresholds(const std::vector<MeasuredThresholds>& measured) {
  Table table({{"cores joined by"},
               {"ring up to", Table::Align::kRight},
               {"single copy from", Table::Align::kRight},
               {"joint copy from", Table::Align::kRight},
               {"under skew from", Table::Align::kRight}});
  for (const auto& [channel, sizes] : measured) {
    table.add_row({channel, from_size(sizes.eager), from_size(sizes.single_copy), from_size(sizes.joint_copy),
                   from_size(sizes.skewed_single_copy)});
  }
  fmt::print("{}", table.render(output_width()));
}

void print_platform(const Platform& platform) {
  Table table({{"model"}, {"channel"}, {"from size", Table::Align::kRight}, {"parameters"}});
  std::size_t single = 0;
  for (const ParameterTable& model : platform.models) {
    for (const ParameterGroup& group : model.groups) {
      if (group.scope.is_pair() || group.scope.is_processor()) {
        ++single;
        continue;
      }
      std::string values;
      for (const auto& [symbol, estimate] : group.values) {
        const bool per_byte = symbol == "beta" || symbol == "G";
        values += fmt::format("{}{}={}", values.empty() ? "" : "  ", per_byte ? "1/" + symbol : symbol,
                              shorter(estimate, per_byte ? "s/B" : "s"));
      }
      for (const auto& [symbol, curve] : group.curves) {
        values += fmt::format("{}{} at {} sizes", values.empty() ? "" : "  ", symbol, curve.size());
      }
      for (const auto& [symbol, surface] : group.surfaces) {
        values += fmt::format("{}{} in {} rows", values.empty() ? "" : "  ", symbol, surface.size());
      }
      table.add_row({model.model, group.scope.channel, format_bytes(group.from_bytes), values});
    }
  }
  fmt::print("{}: {}, {} ranks on {} node{}\n", platform.name, platform.implementation, platform.ranks.size(),
             platform.nodes.size(), platform.nodes.size() == 1 ? "" : "s");
  fmt::print("{}", table.render(output_width()));
  if (single > 0) {
    fmt::print("and {} sets of parameters for single ranks or pairs of ranks, since they differ\n", single);
  }
  if (!platform.channel_thresholds.empty()) {
    print_thresholds(platform.channel_thresholds);
  }
  const auto imprecise = std::count_if(platform.points.begin(), platform.points.end(),
                                       [](const MeasuredPoint& point) { return !point.precise; });
  if (imprecise > 0) {
    fmt::print("{} of {} points did not reach the precision asked for: give a longer --budget or a quieter machine\n",
               imprecise, platform.points.size());
  }
}

void run(const Options& options) {
  const SampleSet samples = measure_with(options.launch, experiments_of(options));
  std::string name = options.name;
  if (name.empty()) {
    name = options.launch.virtual_name.empty() ? samples.nodes.front().name
                                               : std::filesystem::path(options.launch.virtual_name).stem().string();
  }
  if (!options.samples.empty()) {
    write_json(options.samples, to_json(samples));
  }
  const Platform platform = estimate_platform(samples, name);
  write_platform(options.output, platform);
  if (options.json) {
    fmt::print("{}\n", to_json(platform).dump(1));
  } else {
    print_platform(platform);
    fmt::print("wrote {}\n", options.output);
  }
}

}  // namespace

void add_measure_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("measure", "Measure messages and estimate every model's parameters");
  const auto options = std::make_shared<Options>();
  command->add_option("-o,--output", options->output, "Platform file to write")->capture_default_str();
  command->add_option("--samples", options->samples, "Also write what was measured, before estimation");
  command->add_option("--name", options->name, "Name of the platform; by default its first host's");
  command->add_option("--sizes", options->sizes, "Sizes of roundtrips, like 1:4M:x2");
  command->add_option("--train-sizes", options->train_sizes, "Sizes of trains of messages, like 1,1K,64K");
  add_launch_options(*command, options->launch);
  command->add_flag("--json", options->json, "Print the platform as JSON");
  command->footer(
      "Examples:\n"
      "  postage measure -o platform.json\n"
      "  postage measure --mpi mpich -n 2 -o mpich.json\n"
      "  postage measure --channel -o channel.json\n"
      "  postage measure --launcher \"srun -N 2 --ntasks-per-node 2\" -o cluster.json\n"
      "  postage measure --virtual mixed16 -o virtual.json");
  command->callback([options] { run(*options); });
}

}  // namespace postage
