#include "launch/lab/commands.hpp"
#include "launch/lab/namespaces.hpp"
#include "launch/lab/network.hpp"
#include "launch/lab/state.hpp"
#include "launch/lab/switch.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/lab.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace postage {
namespace {

namespace fs = std::filesystem;

/// TCP as between hosts that talk all the time: it does not start slowly again after each pause of a measurement, nor
/// remember the last one's losses.
void settle_tcp(const std::string& network_namespace) {
  const NamespaceScope scope(network_namespace);
  for (const auto& [name, value] : {std::pair("tcp_slow_start_after_idle", "0"), {"tcp_no_metrics_save", "1"}}) {
    const std::string path = fmt::format("/proc/sys/net/ipv4/{}", name);
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const bool done = descriptor >= 0 && write(descriptor, value, 1) == 1;
    const int reason = errno;
    close(descriptor);
    if (!done) {
      throw Error(fmt::format("cannot write {}: {}", path, std::strerror(reason)));
    }
  }
}

void write_agent(const std::string& lab) {
  const fs::path path = lab_folder(lab) / "agent";
  write_file(path, fmt::format("#!/bin/sh\nexec '{}' lab agent --name {} -- \"$@\"\n",
                               fs::read_symlink("/proc/self/exe").string(), lab));
  fs::permissions(path, fs::perms::owner_all);
}

/// The hosts' ends of a switch of our own, closed with their owner.
class Taps {
 public:
  Taps() = default;
  ~Taps() {
    for (const int descriptor : descriptors_) {
      close(descriptor);
    }
  }
  Taps(const Taps&) = delete;
  Taps& operator=(const Taps&) = delete;
  void add(int descriptor) { descriptors_.push_back(descriptor); }
  [[nodiscard]] const std::vector<int>& all() const { return descriptors_; }

 private:
  std::vector<int> descriptors_;
};

/// The switch outlives this process; it lives in its namespace, where remove_lab finds it.
void start_switch(const LabPlan& plan, const std::vector<int>& taps) {
  const NamespaceScope scope(switch_namespace(plan.name));
  const pid_t child = fork();
  if (child < 0) {
    throw Error(fmt::format("cannot start the switch: {}", std::strerror(errno)));
  }
  if (child == 0) {
    setsid();
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
      dup2(nothing, stream);
    }
    // Neither the lock nor a caller's pipe may stay open for as long as the lab is up.
    for (int descriptor = STDERR_FILENO + 1; descriptor < 1024; ++descriptor) {
      if (std::ranges::find(taps, descriptor) == taps.end()) {
        close(descriptor);
      }
    }
    run_switch(plan, taps);
  }
}

void build_with_bridge(const LabPlan& plan, const LabCommands& builder) {
  builder.ip(switch_namespace(plan.name), bridge_batch(plan));
  builder.tc(switch_namespace(plan.name), bridge_shaping(plan));
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    const std::string host = host_namespace(plan.name, i);
    builder.ip(host, host_batch(plan, i));
    builder.tc(host, host_shaping(plan, i));
  }
}

void build_with_own_switch(const LabPlan& plan, const LabCommands& builder) {
  Taps taps;
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    const std::string host = host_namespace(plan.name, i);
    taps.add(make_tap(host));
    builder.ip(host, host_batch(plan, i));
  }
  start_switch(plan, taps.all());
}

void build(const LabPlan& plan) {
  const LabCommands builder(plan.name);
  builder.add(switch_namespace(plan.name));
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    builder.add(host_namespace(plan.name, i));
    settle_tcp(host_namespace(plan.name, i));
  }
  write_file(lab_folder(plan.name) / "hosts", hosts_file(plan));
  write_agent(plan.name);
  if (plan.joined_by == LabSwitch::kProcess) {
    build_with_own_switch(plan, builder);
  } else {
    build_with_bridge(plan, builder);
  }
}

/// Namespaces are looked for by their names, so that also those go which a record, if there is one, knows nothing of.
bool remove_all(const std::string& lab) {
  const std::vector<std::string> namespaces = namespaces_with(namespace_prefix(lab));
  if (!namespaces.empty()) {
    const LabCommands builder(lab);
    kill_processes_in(namespaces);
    for (const std::string& name : namespaces) {
      builder.remove(name);
    }
  }
  return fs::remove_all(lab_folder(lab)) > 0 || !namespaces.empty();
}

void refuse_if_there(const std::string& lab) {
  const bool is_recorded = fs::exists(lab_folder(lab));
  if (!is_recorded && namespaces_with(namespace_prefix(lab)).empty()) {
    return;
  }
  const std::string what = is_recorded && lab_status(lab).whole ? "is up already" : "was left half built";
  throw Error(fmt::format("lab {0} {1}: take it down with 'postage lab down --name {0}'", lab, what));
}

}  // namespace

namespace {

std::string why_not_built(const std::exception& failure) {
  return fmt::format("the lab was not built, and nothing is left of it: {}", failure.what());
}

}  // namespace

void build_lab(const LabPlan& plan) {
  check_lab_plan(plan);
  check_root();
  static_cast<void>(LabCommands(plan.name));  // are its commands there?
  const LabLock lock;
  refuse_if_there(plan.name);
  // From here on remove_lab has something to find, whatever happens.
  write_lab({.plan = plan, .whole = false});
  try {
    build(plan);
    write_lab({.plan = plan, .whole = true});
  } catch (const Interrupted& interruption) {
    remove_all(plan.name);
    throw Interrupted(why_not_built(interruption));
  } catch (const std::exception& failure) {
    remove_all(plan.name);
    throw Error(why_not_built(failure));
  }
}

bool remove_lab(const std::string& name) {
  check_lab_name(name);
  check_root();
  const LabLock lock;
  return remove_all(name);
}

LabStatus lab_status(const std::string& name) {
  check_root();
  const std::optional<LabRecord> record = read_lab(name);
  if (!record) {
    throw Error(fmt::format("lab {0} is not up: build it with 'postage lab up --name {0} --hosts N'", name));
  }
  LabStatus status{.plan = record->plan, .whole = record->whole};
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i < status.plan.hosts.size(); ++i) {
    hosts.push_back(host_namespace(name, i));
  }
  const std::vector<std::string> found = namespaces_with(namespace_prefix(name));
  const bool has_switch =
      status.plan.joined_by == LabSwitch::kBridge || !processes_in({switch_namespace(name)}).empty();
  status.whole = status.whole && has_switch && found.size() == hosts.size() + 1;
  status.processes = processes_in(hosts).size();
  return status;
}

}  // namespace postage
