#include "launch/lab/state.hpp"

#include "launch/lab/network.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace postage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRoot = "/run/postage";
constexpr const char* kFormat = "postage-lab";
constexpr int kVersion = 1;
constexpr std::size_t kLongestName = 20;

Json to_json(const std::vector<LabCable>& cables) {
  Json list = Json::array();
  for (const LabCable& cable : cables) {
    list.push_back({{"rate", cable.rate}, {"latency", cable.latency}});
  }
  return list;
}

std::vector<LabCable> read_cables(const JsonField& field) {
  std::vector<LabCable> cables;
  field.for_each_item([&](const JsonField& cable) {
    cables.push_back({cable["rate"].number(), cable["latency"].number()});
  });
  return cables;
}

void check_cable(const LabCable& cable) {
  // Below, a frame takes longer than TCP waits before it sends again; above, the kernel's buckets count in 32 bits.
  if (cable.rate != 0 && !(cable.rate >= 125e3 && cable.rate <= 1.25e9)) {
    throw UsageError(
        fmt::format("a rate of {} cannot be imposed; valid ones are 1Mbit to 10Gbit", format_bit_rate(cable.rate)));
  }
  if (!(cable.latency >= 0 && cable.latency <= 1)) {
    throw UsageError(
        fmt::format("a latency of {} cannot be imposed; valid ones are 0 to 1 s", format_seconds(cable.latency)));
  }
}

fs::path record_path(const std::string& lab) {
  return lab_folder(lab) / "lab.json";
}

}  // namespace

fs::path lab_folder(const std::string& lab) {
  return fs::path(kRoot) / lab;
}

std::optional<LabRecord> read_lab(const std::string& lab) {
  check_lab_name(lab);
  const fs::path path = record_path(lab);
  if (!fs::exists(path)) {
    return {};
  }
  const Json file = read_json(path);
  check_envelope(file, kFormat, kVersion, path);
  try {
    const JsonField field(file, path);
    return LabRecord{
        .plan = {.name = lab,
                 .hosts = read_cables(field["hosts"]),
                 .uplinks = field.has("uplinks") ? read_cables(field["uplinks"]) : decltype(LabPlan::uplinks){},
                 .mtu = field["mtu"].count<int>(),
                 .queue = field["queue"].count<Bytes>(),
                 .joined_by = field["bridge"].truth() ? LabSwitch::kBridge : LabSwitch::kProcess},
        .whole = field["whole"].truth()};
  } catch (const Error& mistake) {
    throw Error(fmt::format("{}; remove the lab with 'postage lab down'", mistake.what()));
  }
}

void write_lab(const LabRecord& record) {
  write_json(record_path(record.plan.name), {{"format", kFormat},
                                             {"version", kVersion},
                                             {"whole", record.whole},
                                             {"mtu", record.plan.mtu},
                                             {"queue", record.plan.queue},
                                             {"bridge", record.plan.joined_by == LabSwitch::kBridge},
                                             {"hosts", to_json(record.plan.hosts)},
                                             {"uplinks", to_json(record.plan.uplinks)}});
}

Json to_json(const LabStatus& status) {
  Json value{{"name", status.plan.name},
             {"whole", status.whole},
             {"processes", status.processes},
             {"mtu", status.plan.mtu},
             {"hosts", to_json(status.plan.hosts)}};
  if (!status.plan.uplinks.empty()) {
    value["switches"] = to_json(status.plan.uplinks);
    for (std::size_t host = 0; host < status.plan.hosts.size(); ++host) {
      value["hosts"][host]["switch"] = switch_name(status.plan.switch_of(host));
    }
  }
  return value;
}

void check_lab_name(const std::string& name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > kLongestName || !std::ranges::all_of(name, is_plain)) {
    throw UsageError(fmt::format("'{}' is no name for a lab: it takes up to {} lower-case letters, digits and '_'",
                                 name, kLongestName));
  }
}

void check_switches(std::size_t hosts, std::size_t switches) {
  if (switches < 2 || switches > hosts) {
    throw UsageError(fmt::format(
        "{0} hosts cannot be spread over {1} switches: each has at least one host, so give 2 to {0}", hosts, switches));
  }
}

void check_lab_plan(const LabPlan& plan) {
  check_lab_name(plan.name);
  if (plan.hosts.size() < 2 || plan.hosts.size() > kMostLabHosts) {
    throw UsageError(fmt::format("a lab has 2 to {} hosts, not {}", kMostLabHosts, plan.hosts.size()));
  }
  if (!plan.uplinks.empty()) {
    check_switches(plan.hosts.size(), plan.uplinks.size());
  }
  std::vector<LabCable> cables = plan.hosts;
  cables.insert(cables.end(), plan.uplinks.begin(), plan.uplinks.end());
  std::ranges::for_each(cables, check_cable);
  const auto is_late = [](const LabCable& cable) { return cable.latency > 0; };
  if (plan.joined_by == LabSwitch::kBridge && std::ranges::any_of(cables, is_late)) {
    throw UsageError("a bridge knows no latencies: leave them out, or the bridge");
  }
  if (plan.mtu < 576 || plan.mtu > 65000) {
    throw UsageError(fmt::format("an MTU of {} bytes is not possible; valid ones are 576 to 65000", plan.mtu));
  }
  if (plan.queue < plan.mtu) {
    throw UsageError(fmt::format("a queue of {} holds no frame of {} bytes", format_bytes(plan.queue), plan.mtu));
  }
}

void check_root() {
  if (geteuid() != 0) {
    throw Error("a lab is made of network namespaces, which only root may make: run this as root, or with sudo");
  }
}

LabLock::LabLock() {
  std::error_code failed;
  fs::create_directories(kRoot, failed);
  descriptor_ = open(kRoot, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0 || flock(descriptor_, LOCK_EX) != 0) {
    throw Error(fmt::format("cannot lock {}: {}", kRoot, std::strerror(errno)));
  }
}

LabLock::~LabLock() {
  close(descriptor_);
}

}  // namespace postage
