#include "platform/doctor_checks.hpp"

#include <postage/platform/doctor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <memory>

namespace postage {
namespace {

int count(hwloc_topology_t topology, hwloc_obj_type_t type) {
  return std::max(hwloc_get_nbobjs_by_type(topology, type), 0);
}

std::string cache_size(std::uint64_t bytes) {
  constexpr std::uint64_t kMiB = 1U << 20U;
  return bytes >= kMiB ? fmt::format("{:.3g} MiB", static_cast<double>(bytes) / kMiB)
                       : fmt::format("{} KiB", bytes / 1024);
}

std::string plural(int number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

Finding unreadable_topology() {
  return {.topic = "topology",
          .status = Finding::Status::kProblem,
          .seen = fmt::format("hwloc cannot read this machine: {}", std::strerror(errno)),
          .advice = "ranks cannot be bound to cores; check that /sys is mounted and what 'lstopo' says"};
}

// The finding, and the number of cores for those that need it.
std::pair<Finding, int> look_at_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return {unreadable_topology(), 1};
  }
  const std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology(raw, hwloc_topology_destroy);
  if (hwloc_topology_load(raw) != 0) {
    return {unreadable_topology(), 1};
  }
  const MachineShape shape = machine_shape(raw);
  return {judge_topology(shape), std::max(shape.cores, 1)};
}

}  // namespace

const char* status_name(Finding::Status status) {
  switch (status) {
    case Finding::Status::kOk:
      return "ok";
    case Finding::Status::kWarning:
      return "warning";
    case Finding::Status::kProblem:
      break;
  }
  return "problem";
}

bool DoctorReport::can_measure() const {
  return std::ranges::none_of(findings,
                              [](const Finding& finding) { return finding.status == Finding::Status::kProblem; });
}

MachineShape machine_shape(hwloc_topology_t topology) {
  MachineShape shape{.sockets = count(topology, HWLOC_OBJ_PACKAGE),
                     .numa_nodes = count(topology, HWLOC_OBJ_NUMANODE),
                     .cores = count(topology, HWLOC_OBJ_CORE),
                     .threads = count(topology, HWLOC_OBJ_PU),
                     .caches = {}};
  if (shape.cores == 0) {
    shape.cores = shape.threads;
  }
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE}) {
    if (const int caches = count(topology, type); caches > 0) {
      const auto* cache = hwloc_get_obj_by_type(topology, type, 0);
      shape.caches.push_back(
          fmt::format("L{} {} x {}", cache->attr->cache.depth, cache_size(cache->attr->cache.size), caches));
    }
  }
  return shape;
}

Finding judge_topology(const MachineShape& shape) {
  Finding finding{.topic = "topology", .seen = "", .advice = ""};
  finding.seen =
      fmt::format("{}, {}, {}, {}; {}", plural(shape.sockets, "socket"), plural(shape.numa_nodes, "NUMA node"),
                  plural(shape.cores, "core"), plural(shape.threads, "hardware thread"),
                  shape.caches.empty() ? "caches not visible" : fmt::to_string(fmt::join(shape.caches, ", ")));
  if (shape.cores < 2) {
    finding.status = Finding::Status::kWarning;
    finding.advice =
        "two ranks share the one core: times then measure processor work and context switches, not messages";
  } else if (shape.caches.empty()) {
    finding.status = Finding::Status::kWarning;
    finding.advice = "which cores share a cache is unknown, so all pairs of a socket are taken for one channel";
  }
  return finding;
}

DoctorReport examine_machine(const std::filesystem::path& root, std::span<const MpiInstallation> mpis) {
  const auto [topology, cores] = look_at_topology();
  DoctorReport report{
      {topology, judge_processors(root), judge_quota(root), judge_load(root, cores), judge_clock_rate(root)}};
  std::ranges::move(judge_mpi(mpis), std::back_inserter(report.findings));
  report.findings.push_back(judge_kernel_copy(try_kernel_copy(), root));
  report.findings.push_back(judge_shared_memory(shared_memory(root), cores));
  return report;
}

}  // namespace postage
