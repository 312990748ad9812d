#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/text.hpp>
#include <postage/predict/exports.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

struct ExportOptions {
  std::string platform;
  std::string simulator;
  std::string output;
  ExportedJob job;
};

void print_remarks_of(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) {
    print_remark("postage: {}\n", remark);
  }
}

void export_smpi(const ExportOptions& options, const Platform& platform) {
  const std::string path = options.output.empty() ? "platform.xml" : options.output;
  const std::string hosts = path + ".hosts";
  check_output_file("--output", path);
  if (path.find_first_of(" \t\n") != std::string::npos) {
    throw UsageError(fmt::format(
        "--output: smpirun takes no hostfile with white space in its name, as '{}' has: give another name", hosts));
  }
  const SmpiExport written = smpi_export(platform, options.job);
  write_file(path, written.platform);
  write_file(hosts, written.hosts);
  print_remarks_of(written.remarks);
  fmt::print("smpirun -np {} -platform {} -hostfile {} PROGRAM\n", options.job.nodes * options.job.per_node,
             shell_word(path), shell_word(hosts));
}

void export_loggops(const ExportOptions& options, const Platform& platform) {
  if (options.job.nodes != ExportedJob{}.nodes || options.job.per_node != ExportedJob{}.per_node) {
    throw UsageError("--nodes and --per-node are of --for smpi: LogGOPSim takes the number of ranks from its trace");
  }
  check_output_file("--output", options.output);
  const LogGopsExport written = loggops_export(platform);
  const std::string line = fmt::format("LogGOPSim -f TRACE.bin {}\n", written.options);
  print_remarks_of(written.remarks);
  if (options.output.empty()) {
    fmt::print("{}", line);
  } else {
    write_file(options.output, line);
  }
}

void run(const ExportOptions& options) {
  const Platform platform = read_platform(options.platform);
  options.simulator == "smpi" ? export_smpi(options, platform) : export_loggops(options, platform);
}

}  // namespace

void add_export_command(Command& app) {
  Command command = app.subcommand("export", "Write a platform's parameters for a simulator: SMPI or LogGOPSim");
  const auto options = std::make_shared<ExportOptions>();
  command.option("--platform", options->platform, "Platform file written by postage measure or estimate").required();
  command.option("--for", options->simulator, "The simulator").required().one_of({"smpi", "loggopsim"});
  command.option("--nodes", options->job.nodes, "Of smpi: number of nodes").with_default().range(1, 1 << 20);
  command.option("--per-node", options->job.per_node, "Of smpi: number of ranks on each node")
      .with_default()
      .range(1, 1 << 16);
  command.option(
      "-o,--output", options->output,
      "File to write: of smpi the platform, platform.xml where none is given, with its hostfile beside it; of "
      "loggopsim the command line, which is printed where none is given");
  command.footer(
      "Examples:\n"
      "  postage export --platform cluster.json --for smpi --nodes 16 --per-node 8 -o cluster.xml\n"
      "  postage export --platform cluster.json --for loggopsim\n"
      "  postage schedule allreduce ring -P 16 -m 1M --goal ring.goal    # what LogGOPSim's txt2bin reads");
  command.action([options] { run(*options); });
}

}  // namespace postage
