#include "cli/commands.hpp"
#include "cli/options/lab_options.hpp"
#include "cli/tables/lab_table.hpp"

#include <postage/launch/lab.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

void up(const LabRequest& request) {
  const LabPlan plan = plan_lab(request);
  build_lab(plan);
  print_lab(plan);
  const std::string name = plan.name == LabPlan{}.name ? "" : " --name " + plan.name;
  fmt::print(
      "lab {0} is up: run MPI programs on it with 'postage lab run{1} -- PROGRAM', measure it with 'postage measure "
      "--lab {0}', and take it down with 'postage lab down{1}'\n",
      plan.name, name);
}

struct StatusOptions {
  std::string name = LabPlan{}.name;
  bool json = false;
  bool topology_conf = false;
};

void status(const StatusOptions& options) {
  const LabStatus status = lab_status(options.name);
  if (options.topology_conf) {
    fmt::print("{}", lab_topology_conf(status.plan));
  } else if (options.json) {
    fmt::print("{}\n", to_json(status).dump(1));
  } else {
    print_lab(status.plan);
    fmt::print("lab {} is {}, with {} process{} on its hosts\n", options.name,
               status.whole ? "up" : "incomplete: it can only be taken down", status.processes,
               status.processes == 1 ? "" : "es");
  }
}

void add_name(Command& command, std::string& name) {
  command.option("--name", name, "Name of the lab").with_default();
}

void add_up(Command& lab) {
  Command command = lab.subcommand("up", "Build a lab");
  const auto request = std::make_shared<LabRequest>();
  add_lab_plan_options(command, *request);
  add_name(command, request->name);
  command.action([request] { up(*request); });
}

void add_run(Command& lab) {
  Command command = lab.subcommand("run", "Run an MPI program on the hosts of a lab");
  const auto name = std::make_shared<std::string>(LabPlan{}.name);
  const auto job = std::make_shared<LabJob>();
  const auto rank_file = std::make_shared<std::string>();
  add_name(command, *name);
  command.option("--mpi", job->mpi, "openmpi or mpich; by default the first one found");
  command.option("-n,--ranks", job->ranks, "Number of ranks; by default as many as the hosts have room for")
      .range(1, 4096);
  command.option("--per-host", job->per_host, "Ranks on each host").with_default().range(1, 64);
  command.option("--rank-file", *rank_file,
                 "Where ranks go: Open MPI's rankfile or MPICH's hostfile, as optimize mapping writes them");
  command.option("command", job->command, "Program and its arguments, after --").required();
  command.action([name, job, rank_file] {
    job->rank_file = *rank_file;
    become_lab_job(*name, *job);
  });
}

void add_status(Command& lab) {
  Command command = lab.subcommand("status", "Show the state of a lab");
  const auto options = std::make_shared<StatusOptions>();
  add_name(command, options->name);
  command.flag("--json", options->json, "Print JSON");
  command.flag("--topology-conf", options->topology_conf, "Print its switches as a topology.conf of Slurm");
  command.not_with("--json", {"--topology-conf"});
  command.action([options] { status(*options); });
}

void add_down(Command& lab) {
  Command command = lab.subcommand("down", "Remove a lab with all its processes, also one that was built only partly");
  const auto name = std::make_shared<std::string>(LabPlan{}.name);
  add_name(command, *name);
  command.action([name] {
    fmt::print("{}\n",
               remove_lab(*name) ? fmt::format("lab {} is gone", *name) : fmt::format("there is no lab {}", *name));
  });
}

/// What launchers call instead of ssh.
void add_agent(Command& lab) {
  Command command = lab.hidden_subcommand("agent");
  const auto name = std::make_shared<std::string>(LabPlan{}.name);
  const auto words = std::make_shared<std::vector<std::string>>();
  add_name(command, *name);
  command.option("words", *words, "");
  command.action([name, words] { become_lab_command(*name, *words); });
}

}  // namespace

void add_lab_command(Command& app) {
  Command command =
      app.subcommand("lab", "Build a cluster of network namespaces on this machine, with given rates and latencies");
  command.require_subcommand();
  add_up(command);
  add_run(command);
  add_status(command);
  add_down(command);
  add_agent(command);
  command.footer(
      "Examples:\n"
      "  postage lab up --hosts 4 --rates 100M,100M,200M,500M\n"
      "  postage lab up --name pair --hosts 6 --rates 100M --switches 2 --uplink 30M\n"
      "  postage lab run -n 4 -- ./program\n"
      "  postage measure --lab lab -o lab.json\n"
      "  postage lab down");
}

}  // namespace postage
