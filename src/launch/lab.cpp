#include "launch/lab_namespaces.hpp"
#include "launch/lab_network.hpp"
#include "launch/lab_state.hpp"
#include "launch/lab_switch.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/lab.hpp>
#include <postage/launch/launch.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

namespace postage {
namespace {

namespace fs = std::filesystem;

constexpr Seconds kCommandLimit = 30;

std::string required_command(const std::string& name) {
  const fs::path path = find_in_path(name);
  if (path.empty()) {
    throw Error(fmt::format("a lab needs the command {}, which is not on the PATH: apt-get install iproute2", name));
  }
  return path.string();
}

/// Runs ip and tc in namespaces of a lab.
class Builder {
 public:
  explicit Builder(const std::string& lab)
      : batch_(lab_folder(lab) / "batch"), ip_(required_command("ip")), tc_(required_command("tc")) {}

  void add(const std::string& network_namespace) const { run({ip_, "netns", "add", network_namespace}); }
  void ip(const std::string& network_namespace, const std::string& batch) const {
    run_batch(ip_, network_namespace, batch);
  }
  void tc(const std::string& network_namespace, const std::string& batch) const {
    run_batch(tc_, network_namespace, batch);
  }
  void remove(const std::string& network_namespace) const { run({ip_, "netns", "delete", network_namespace}); }

 private:
  void run_batch(const std::string& program, const std::string& network_namespace, const std::string& batch) const {
    if (!batch.empty()) {
      write_file(batch_, batch);
      run({program, "-n", network_namespace, "-batch", batch_.string()});
    }
  }

  static void run(const std::vector<std::string>& command) { static_cast<void>(run_command(command, kCommandLimit)); }

  fs::path batch_;
  std::string ip_;
  std::string tc_;
};

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

void build_with_bridge(const LabPlan& plan, const Builder& builder) {
  builder.ip(switch_namespace(plan.name), bridge_batch(plan));
  builder.tc(switch_namespace(plan.name), bridge_shaping(plan));
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    const std::string host = host_namespace(plan.name, i);
    builder.ip(host, host_batch(plan, i));
    builder.tc(host, host_shaping(plan, i));
  }
}

void build_with_own_switch(const LabPlan& plan, const Builder& builder) {
  Taps taps;
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    const std::string host = host_namespace(plan.name, i);
    taps.add(make_tap(host));
    builder.ip(host, host_batch(plan, i));
  }
  start_switch(plan, taps.all());
}

void build(const LabPlan& plan) {
  const Builder builder(plan.name);
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
    const Builder builder(lab);
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

double parse_bit_rate(std::string_view text) {
  static constexpr std::array<std::pair<char, double>, 4> kUnits{{{'k', 1e3}, {'K', 1e3}, {'M', 1e6}, {'G', 1e9}}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc{} && std::isfinite(number) && number > 0) {
    for (const auto& [prefix, factor] : kUnits) {
      if (unit.starts_with(prefix)) {
        number *= factor;
        unit.remove_prefix(1);
        break;
      }
    }
    if (unit.empty() || unit == "bit" || unit == "bit/s") {
      return number / 8;
    }
  }
  throw UsageError(fmt::format("'{}' is no rate; write one as 100M, 2.5Gbit or 10Mbit/s", text));
}

std::string format_bit_rate(double bytes_per_second) {
  if (bytes_per_second == 0) {
    return "unlimited";
  }
  double rate = 8 * bytes_per_second;
  for (const char* prefix : {"", "k", "M"}) {
    if (rate < 1000) {
      return fmt::format("{:.12g}{}bit", rate, prefix);
    }
    rate /= 1000;
  }
  return fmt::format("{:.12g}Gbit", rate);
}

namespace {

std::string why_not_built(const std::exception& failure) {
  return fmt::format("the lab was not built, and nothing is left of it: {}", failure.what());
}

}  // namespace

void build_lab(const LabPlan& plan) {
  check_lab_plan(plan);
  check_root();
  static_cast<void>(Builder(plan.name));  // are its commands there?
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
