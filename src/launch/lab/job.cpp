#include "launch/lab/namespaces.hpp"
#include "launch/lab/network.hpp"
#include "launch/lab/state.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/lab.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace postage {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  throw Error(fmt::format("cannot start {}: {}", command.front(), std::strerror(errno)));
}

LabPlan whole_lab(const std::string& name) {
  LabStatus status = lab_status(name);
  if (!status.whole) {
    throw Error(
        fmt::format("lab {0} is not whole: take it down with 'postage lab down --name {0}', and build it again", name));
  }
  return std::move(status.plan);
}

void enter(const LabPlan& plan, std::size_t host) {
  become_host(host_namespace(plan.name, host), host_name(host), (lab_folder(plan.name) / "hosts").string());
}

MpiFlavour flavour_of(const LabJob& job) {
  std::string known;
  for (const MpiFlavour& flavour : find_flavours()) {
    if (flavour.name != "openmpi" && flavour.name != "mpich") {
      continue;
    }
    known += (known.empty() ? "" : ", ") + flavour.name;
    if (job.mpi == flavour.name && flavour.launcher.empty()) {
      throw Error(fmt::format("the launcher of {} is not on the PATH; install it", flavour.name));
    }
    if (!flavour.launcher.empty() && (job.mpi.empty() || job.mpi == flavour.name)) {
      return flavour;
    }
  }
  if (job.mpi.empty()) {
    throw Error(
        "a lab runs Open MPI and MPICH, and the launcher of neither is on the PATH: apt-get install openmpi-bin");
  }
  throw UsageError(unknown_name("MPI for a lab", job.mpi, known));
}

struct JobHosts {
  int ranks;
  std::string hosts;  ///< "h0:2,h1:2"
};

JobHosts hosts_of(const LabPlan& plan, const LabJob& job) {
  const int most = static_cast<int>(plan.hosts.size()) * job.per_host;
  const int ranks = job.ranks > 0 ? job.ranks : most;
  if (ranks > most) {
    throw UsageError(fmt::format("lab {} has {} hosts, and with --per-host {} no room for {} ranks", plan.name,
                                 plan.hosts.size(), job.per_host, ranks));
  }
  JobHosts job_hosts{ranks, ""};
  for (int host = 0; host * job.per_host < ranks; ++host) {
    job_hosts.hosts +=
        fmt::format("{}{}:{}", host == 0 ? "" : ",", host_name(static_cast<std::size_t>(host)), job.per_host);
  }
  return job_hosts;
}

std::string preloaded(const std::string& name) {
  const fs::path library = find_built(name);
  if (library.empty()) {
    throw Error(fmt::format("{} is not beside postage or in its libexec folder; run make build", name));
  }
  return library.string();
}

/// Libraries that make the job possible, joined by ':'. Ranks that wait must leave the cores to those that work where
/// there are more of them than cores; those that share a host share memory, and may not sleep until the network wakes
/// them.
std::string preload_of(const LabJob& job, const std::string& mpi, int ranks) {
  std::vector<std::string> libraries;
  if (mpi == "mpich") {
    libraries.push_back(preloaded("libpostage-lab-serve.so"));
  }
  if (job.per_host == 1 && ranks > static_cast<int>(std::thread::hardware_concurrency())) {
    libraries.push_back(preloaded("libpostage-lab-wait.so"));
  }
  return fmt::format("{}", fmt::join(libraries, ":"));
}

std::vector<std::string> openmpi_command(const LabPlan& plan, const LabJob& job, const MpiFlavour& flavour) {
  const JobHosts job_hosts = hosts_of(plan, job);
  std::vector<std::string> command{flavour.launcher.string(),
                                   "-n",
                                   std::to_string(job_hosts.ranks),
                                   "--host",
                                   job_hosts.hosts,
                                   "--allow-run-as-root",
                                   "--oversubscribe"};
  if (job.rank_file.empty()) {
    command.insert(command.end(), {"--bind-to", "none"});
  } else {
    command.insert(command.end(), {"--rankfile", job.rank_file.string()});
  }
  const std::string agent = (lab_folder(plan.name) / "agent").string();
  for (const auto& [name, value] : std::initializer_list<std::pair<std::string, std::string>>{
           {"plm", "rsh"},
           {"plm_rsh_agent", agent},
           {"plm_rsh_no_tree_spawn", "1"},
           {"oob", "tcp"},
           {"oob_tcp_if_include", kLabInterface},
           {"pml", "ob1"},
           {"btl", job.per_host > 1 ? "tcp,vader,self" : "tcp,self"},
           {"btl_tcp_if_include", kLabInterface},
           {"opal_event_include", "epoll"},
           {"mpi_yield_when_idle", "1"}}) {
    command.insert(command.end(), {"--mca", name, value});
  }
  if (const std::string libraries = preload_of(job, flavour.name, job_hosts.ranks); !libraries.empty()) {
    command.insert(command.end(), {"-x", "LD_PRELOAD=" + libraries});
  }
  return command;
}

std::vector<std::string> mpich_command(const LabPlan& plan, const LabJob& job, const MpiFlavour& flavour) {
  const JobHosts job_hosts = hosts_of(plan, job);
  std::vector<std::string> command{flavour.launcher.string(),
                                   "-n",
                                   std::to_string(job_hosts.ranks),
                                   job.rank_file.empty() ? "-hosts" : "-f",
                                   job.rank_file.empty() ? job_hosts.hosts : job.rank_file.string(),
                                   "-launcher",
                                   "ssh",
                                   "-launcher-exec",
                                   (lab_folder(plan.name) / "agent").string(),
                                   "-iface",
                                   kLabInterface,
                                   "-bind-to",
                                   "none",
                                   "-genv",
                                   "UCX_NET_DEVICES",
                                   kLabInterface,
                                   "-genv",
                                   "UCX_TLS",
                                   job.per_host > 1 ? "tcp,posix,self" : "tcp,self"};
  command.insert(command.end(), {"-genv", "LD_PRELOAD", preload_of(job, flavour.name, job_hosts.ranks)});
  return command;
}

}  // namespace

void become_lab_job(const std::string& name, const LabJob& job) {
  const LabPlan plan = whole_lab(name);
  const MpiFlavour flavour = flavour_of(job);
  std::vector<std::string> command =
      flavour.name == "openmpi" ? openmpi_command(plan, job, flavour) : mpich_command(plan, job, flavour);
  command.insert(command.end(), job.command.begin(), job.command.end());
  enter(plan, 0);
  become(command);
}

void become_lab_command(const std::string& name, std::span<const std::string> words) {
  const LabPlan plan = whole_lab(name);
  while (!words.empty() && words.front().starts_with('-')) {
    words = words.subspan(1);
  }
  if (words.size() < 2) {
    throw UsageError("the agent of a lab is called like ssh: HOST COMMAND ...");
  }
  std::string line;
  for (const std::string& word : words.subspan(1)) {
    line += (line.empty() ? "" : " ") + word;
  }
  enter(plan, host_number(plan, words.front()));
  become({"/bin/sh", "-c", line});
}

}  // namespace postage
