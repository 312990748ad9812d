#include "cli/commands.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/lab.hpp>

#include <fmt/format.h>

#include <memory>

namespace postage {
namespace {

struct UpOptions {
  std::string name = LabPlan{}.name;
  std::size_t hosts = 0;
  std::vector<std::string> rates;
  std::vector<std::string> latencies;
  int mtu = LabPlan{}.mtu;
  std::string queue = "1M";
  bool bridge = false;
};

/// One value for all hosts, or one for each.
template <typename Parse>
auto for_each_host(const std::vector<std::string>& texts, const char* option, std::size_t hosts, const Parse& parse) {
  std::vector<decltype(parse(""))> values;
  for (const std::string& text : texts) {
    values.push_back(parse(text));
  }
  if (values.size() <= 1) {
    values.resize(hosts, values.empty() ? 0 : values.front());
  }
  if (values.size() != hosts) {
    throw UsageError(fmt::format("{} takes one value for all hosts or one for each: {} hosts, but {} values", option,
                                 hosts, texts.size()));
  }
  return values;
}

LabPlan plan_of(const UpOptions& options) {
  LabPlan plan{.name = options.name,
               .hosts = {},
               .mtu = options.mtu,
               .queue = parse_bytes(options.queue),
               .joined_by = options.bridge ? LabSwitch::kBridge : LabSwitch::kProcess};
  const auto rates = for_each_host(options.rates, "--rates", options.hosts, parse_bit_rate);
  const auto latencies = for_each_host(options.latencies, "--latency", options.hosts, parse_seconds);
  for (std::size_t i = 0; i < options.hosts; ++i) {
    plan.hosts.push_back({rates[i], latencies[i]});
  }
  return plan;
}

void print_hosts(const LabPlan& plan) {
  Table table({{"host"}, {"rate", Table::Align::kRight}, {"latency to the switch", Table::Align::kRight}});
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    table.add_row({fmt::format("h{}", i), format_bit_rate(plan.hosts[i].rate), format_seconds(plan.hosts[i].latency)});
  }
  fmt::print("{}", table.render(output_width()));
}

void up(const UpOptions& options) {
  const LabPlan plan = plan_of(options);
  build_lab(plan);
  print_hosts(plan);
  const std::string name = plan.name == LabPlan{}.name ? "" : " --name " + plan.name;
  fmt::print(
      "lab {0} is up: run MPI programs on it with 'postage lab run{1} -- PROGRAM', measure it with 'postage measure "
      "--lab {0}', and take it down with 'postage lab down{1}'\n",
      plan.name, name);
}

void status(const std::string& name, bool as_json) {
  const LabStatus status = lab_status(name);
  if (as_json) {
    Json hosts = Json::array();
    for (const LabHost& host : status.plan.hosts) {
      hosts.push_back({{"rate", host.rate}, {"latency", host.latency}});
    }
    fmt::print("{}\n", Json{{"name", name},
                            {"whole", status.whole},
                            {"processes", status.processes},
                            {"mtu", status.plan.mtu},
                            {"hosts", std::move(hosts)}}
                           .dump(1));
    return;
  }
  print_hosts(status.plan);
  fmt::print("lab {} is {}, with {} process{} on its hosts\n", name,
             status.whole ? "up" : "incomplete: it can only be taken down", status.processes,
             status.processes == 1 ? "" : "es");
}

void down(const std::string& name) {
  fmt::print("{}\n", remove_lab(name) ? fmt::format("lab {} is gone", name) : fmt::format("there is no lab {}", name));
}

void add_name(Command& command, std::string& name) {
  command.option("--name", name, "Name of the lab").with_default();
}

void add_up(Command& lab) {
  Command command = lab.subcommand("up", "Build a lab");
  const auto options = std::make_shared<UpOptions>();
  command.option("--hosts", options->hosts, "Number of hosts").required().range(2, kMostLabHosts);
  command
      .option("--rates", options->rates,
              "Bit rate of each direction, like 100M: one value for all hosts, or one for each")
      .comma_separated();
  command
      .option("--latency", options->latencies,
              "Latency between a host and the switch, like 50us: one value for all hosts, or one for each")
      .comma_separated();
  command.option("--mtu", options->mtu, "MTU in bytes").with_default();
  command.option("--queue", options->queue, "Queue of a switch port in bytes; further frames are dropped")
      .with_default();
  command.flag("--bridge", options->bridge,
               "Use the bridge of the kernel as the switch: faster, but rates are coarse and latency cannot be set");
  add_name(command, options->name);
  command.action([options] { up(*options); });
}

void add_run(Command& lab) {
  Command command = lab.subcommand("run", "Run an MPI program on the hosts of a lab");
  const auto name = std::make_shared<std::string>(LabPlan{}.name);
  const auto job = std::make_shared<LabJob>();
  add_name(command, *name);
  command.option("--mpi", job->mpi, "openmpi or mpich; by default the first one found");
  command.option("-n,--ranks", job->ranks, "Number of ranks; by default as many as the hosts have room for")
      .range(1, 4096);
  command.option("--per-host", job->per_host, "Ranks on each host").with_default().range(1, 64);
  command.option("command", job->command, "Program and its arguments, after --").required();
  command.action([name, job] { become_lab_job(*name, *job); });
}

void add_status(Command& lab) {
  Command command = lab.subcommand("status", "Show the state of a lab");
  const auto name = std::make_shared<std::string>(LabPlan{}.name);
  const auto as_json = std::make_shared<bool>(false);
  add_name(command, *name);
  command.flag("--json", *as_json, "Print JSON");
  command.action([name, as_json] { status(*name, *as_json); });
}

void add_down(Command& lab) {
  Command command = lab.subcommand("down", "Remove a lab with all its processes, also one that was built only partly");
  const auto name = std::make_shared<std::string>(LabPlan{}.name);
  add_name(command, *name);
  command.action([name] { down(*name); });
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
      "  postage lab run -n 4 -- ./program\n"
      "  postage measure --lab lab -o lab.json\n"
      "  postage lab down");
}

}  // namespace postage
