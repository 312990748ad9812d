#include "platform/doctor_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

namespace postage {
namespace {

namespace fs = std::filesystem;

// The first line of a file, nothing if there is none to read.
std::optional<std::string> first_line(const fs::path& path) {
  std::ifstream in(path);
  std::string line;
  return std::getline(in, line) ? std::optional(line) : std::nullopt;
}

// "Name:\tvalue" in /proc/self/status and the like.
std::optional<std::string> field_of(const fs::path& path, std::string_view name) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos ||
        std::string_view(line).substr(0, line.find_last_not_of(" \t", colon - 1) + 1) != name) {
      continue;
    }
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return std::nullopt;
}

std::optional<int> number_in(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

// Both versions of control groups: "QUOTA PERIOD" or "max PERIOD" in one file, or a file each with -1 for none.
std::optional<double> quota_of(const fs::path& group) {
  double quota = -1;
  double period = 0;
  if (const auto both = first_line(group / "cpu.max")) {
    std::istringstream words(*both);
    if (!(words >> quota >> period)) {
      return std::nullopt;
    }
  } else {
    std::istringstream(first_line(group / "cpu.cfs_quota_us").value_or("-1")) >> quota;
    std::istringstream(first_line(group / "cpu.cfs_period_us").value_or("0")) >> period;
  }
  return quota > 0 && period > 0 ? std::optional(quota / period) : std::nullopt;
}

// Where the hierarchies that may limit processor time are mounted, and this process's group in each.
std::vector<std::pair<fs::path, fs::path>> processor_groups(const fs::path& root) {
  std::vector<std::pair<fs::path, fs::path>> groups;
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {  // ID:CONTROLLERS:/GROUP
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (controllers.empty()) {
      groups.emplace_back(root / "sys/fs/cgroup", group);
    } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
      groups.emplace_back(root / "sys/fs/cgroup" / controllers, group);
    }
  }
  return groups;
}

bool is_virtual_machine(const fs::path& root) {
  const auto flags = field_of(root / "proc/cpuinfo", "flags");
  return flags && (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
}

std::set<std::string> governors(const fs::path& root) {
  std::set<std::string> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "sys/devices/system/cpu", none)) {
    if (const auto governor = first_line(entry.path() / "cpufreq/scaling_governor")) {
      found.insert(*governor);
    }
  }
  return found;
}

// Whether the clock may rise above its nominal rate, where that can be seen.
std::optional<bool> turbo(const fs::path& root) {
  const fs::path cpu = root / "sys/devices/system/cpu";
  if (const auto off = first_line(cpu / "intel_pstate/no_turbo")) {
    return *off == "0";
  }
  if (const auto on = first_line(cpu / "cpufreq/boost")) {
    return *on == "1";
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> count_cpu_list(const std::string& list) {
  int total = 0;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    const auto dash = range.find('-');
    const auto first = number_in(std::string_view(range).substr(0, dash));
    const auto last = dash == std::string::npos ? first : number_in(std::string_view(range).substr(dash + 1));
    if (!first || !last || *last < *first) {
      return std::nullopt;
    }
    total += *last - *first + 1;
  }
  return total > 0 ? std::optional(total) : std::nullopt;
}

Finding judge_processors(const fs::path& root) {
  Finding finding{.topic = "binding", .seen = "", .advice = ""};
  const auto online = first_line(root / "sys/devices/system/cpu/online");
  const auto allowed = field_of(root / "proc/self/status", "Cpus_allowed_list");
  const auto online_count = online ? count_cpu_list(*online) : std::nullopt;
  const auto allowed_count = allowed ? count_cpu_list(*allowed) : std::nullopt;
  if (!online_count || !allowed_count) {
    finding.status = Finding::Status::kWarning;
    finding.seen = "which processors this process may use cannot be read";
    finding.advice = "mount /proc and /sys, so that ranks can be bound to cores that are there";
    return finding;
  }
  finding.seen = fmt::format("this process may use {} of the {} processors that are online ({})", *allowed_count,
                             *online_count, *allowed);
  if (*allowed_count < *online_count) {
    finding.status = Finding::Status::kWarning;
    finding.advice =
        "a binding (taskset, a launcher) or a control group (a container, a batch job) withholds the others: no rank "
        "can "
        "run there";
  }
  return finding;
}

std::optional<double> processor_quota(const fs::path& root) {
  std::optional<double> least;
  for (const auto& [mount, group] : processor_groups(root)) {
    for (fs::path way = group;; way = way.parent_path()) {
      if (const auto quota = quota_of(mount / way); quota && (!least || *quota < *least)) {
        least = quota;
      }
      if (way.empty()) {
        break;
      }
    }
  }
  return least;
}

Finding judge_quota(const fs::path& root) {
  const auto quota = processor_quota(root);
  if (!quota) {
    return {.topic = "quota", .seen = "no control group limits processor time", .advice = ""};
  }
  return {.topic = "quota",
          .status = Finding::Status::kWarning,
          .seen = fmt::format("a control group limits processor time to that of {:.3g} processors", *quota),
          .advice =
              "waiting ranks spin, use the quota up and are stopped for milliseconds; measure without a quota "
              "(docker: no --cpus, but --cpuset-cpus)"};
}

Finding judge_load(const fs::path& root, int cores) {
  Finding finding{.topic = "load", .seen = "", .advice = ""};
  double load = 0;
  if (!(std::istringstream(first_line(root / "proc/loadavg").value_or("")) >> load)) {
    finding.status = Finding::Status::kWarning;
    finding.seen = "the load cannot be read";
    finding.advice = "mount /proc; until then see to it yourself that nothing else runs while measuring";
    return finding;
  }
  constexpr double kQuiet = 0.5;
  finding.seen = fmt::format("on average {:.2f} programs wanted to run in the last minute; {} ranks fit the {} cores",
                             load, cores, cores);
  if (load > kQuiet) {
    finding.status = Finding::Status::kWarning;
    finding.advice =
        "other programs take the cores from ranks, which then miss messages by milliseconds: wait until they end. More "
        "ranks than cores do the same to one another: such times measure processor work and context switches";
  }
  return finding;
}

Finding judge_clock_rate(const fs::path& root) {
  Finding finding{.topic = "clock rate", .seen = "", .advice = ""};
  const auto found = governors(root);
  if (found.empty()) {
    finding.seen = is_virtual_machine(root) ? "not visible: this is a virtual machine" : "not visible";
    finding.advice = "nothing to do here; the host's governor and its other guests can make runs differ";
    return finding;
  }
  const auto rises = turbo(root);
  finding.seen =
      fmt::format("governor {}; turbo {}", fmt::join(found, ", "), rises ? (*rises ? "on" : "off") : "not visible");
  if (found != std::set<std::string>{"performance"}) {
    finding.status = Finding::Status::kWarning;
    finding.advice = "cores slow down when idle, so short measurements vary: cpupower frequency-set -g performance";
  } else if (rises == true) {
    finding.advice = "with turbo on, the rate depends on how many cores are busy and how warm they are";
  }
  return finding;
}

}  // namespace postage
