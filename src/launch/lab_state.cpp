#include "launch/lab_state.hpp"

#include "launch/lab_network.hpp"

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
    LabRecord record{.plan = {.name = lab,
                              .hosts = {},
                              .mtu = field["mtu"].count<int>(),
                              .queue = field["queue"].count<Bytes>(),
                              .joined_by = field["bridge"].truth() ? LabSwitch::kBridge : LabSwitch::kProcess},
                     .whole = field["whole"].truth()};
    field["hosts"].for_each_item([&](const JsonField& host) {
      record.plan.hosts.push_back({host["rate"].number(), host["latency"].number()});
    });
    return record;
  } catch (const Error& mistake) {
    throw Error(fmt::format("{}; remove the lab with 'postage lab down'", mistake.what()));
  }
}

void write_lab(const LabRecord& record) {
  Json hosts = Json::array();
  for (const LabHost& host : record.plan.hosts) {
    hosts.push_back({{"rate", host.rate}, {"latency", host.latency}});
  }
  write_json(record_path(record.plan.name), {{"format", kFormat},
                                             {"version", kVersion},
                                             {"whole", record.whole},
                                             {"mtu", record.plan.mtu},
                                             {"queue", record.plan.queue},
                                             {"bridge", record.plan.joined_by == LabSwitch::kBridge},
                                             {"hosts", std::move(hosts)}});
}

void check_lab_name(const std::string& name) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > kLongestName || !std::ranges::all_of(name, is_plain)) {
    throw UsageError(fmt::format("'{}' is no name for a lab: it takes up to {} lower-case letters, digits and '_'",
                                 name, kLongestName));
  }
}

void check_lab_plan(const LabPlan& plan) {
  check_lab_name(plan.name);
  if (plan.hosts.size() < 2 || plan.hosts.size() > kMostLabHosts) {
    throw UsageError(fmt::format("a lab has 2 to {} hosts, not {}", kMostLabHosts, plan.hosts.size()));
  }
  for (const LabHost& host : plan.hosts) {
    // Below, a frame takes longer than TCP waits before it sends again; above, the kernel's buckets count in 32 bits.
    if (host.rate != 0 && !(host.rate >= 125e3 && host.rate <= 1.25e9)) {
      throw UsageError(
          fmt::format("a rate of {} cannot be imposed; valid ones are 1Mbit to 10Gbit", format_bit_rate(host.rate)));
    }
    if (!(host.latency >= 0 && host.latency <= 1)) {
      throw UsageError(
          fmt::format("a latency of {} cannot be imposed; valid ones are 0 to 1 s", format_seconds(host.latency)));
    }
  }
  const auto is_late = [](const LabHost& host) { return host.latency > 0; };
  if (plan.joined_by == LabSwitch::kBridge && std::ranges::any_of(plan.hosts, is_late)) {
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
