#include "launch/lab/network.hpp"
#include "launch/lab/state.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/lab_plan.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// One value for all, or one for each.
template <typename Parse>
auto values_of(const std::vector<std::string>& texts, const char* option, const char* what, std::size_t count,
               const Parse& parse) {
  std::vector<decltype(parse(""))> values;
  values.reserve(std::max(count, texts.size()));
  for (const std::string& text : texts) {
    values.push_back(parse(text));
  }
  if (values.size() <= 1) {
    values.resize(count, values.empty() ? 0 : values.front());
  }
  if (values.size() != count) {
    throw UsageError(fmt::format("{0} takes one value for all {1} or one for each: {2} {1}, but {3} values", option,
                                 what, count, texts.size()));
  }
  return values;
}

std::vector<LabCable> uplinks_of(const LabRequest& request) {
  if (request.switches <= 1) {
    if (!request.uplinks.empty() || !request.uplink_latencies.empty()) {
      throw UsageError("--uplink and --uplink-latency are of cables between switches: give --switches 2 or more");
    }
    return {};
  }
  check_switches(request.hosts, request.switches);
  const auto rates = values_of(request.uplinks, "--uplink", "switches", request.switches, parse_bit_rate);
  const auto latencies =
      values_of(request.uplink_latencies, "--uplink-latency", "switches", request.switches, parse_seconds);
  std::vector<LabCable> uplinks;
  for (std::size_t i = 0; i < request.switches; ++i) {
    uplinks.push_back({rates[i], latencies[i]});
  }
  return uplinks;
}

}  // namespace

LabPlan plan_lab(const LabRequest& request) {
  LabPlan plan{.name = request.name,
               .hosts = {},
               .uplinks = uplinks_of(request),
               .mtu = request.mtu,
               .queue = parse_bytes(request.queue),
               .joined_by = request.bridge ? LabSwitch::kBridge : LabSwitch::kProcess};
  const auto rates = values_of(request.rates, "--rates", "hosts", request.hosts, parse_bit_rate);
  const auto latencies = values_of(request.latencies, "--latency", "hosts", request.hosts, parse_seconds);
  for (std::size_t i = 0; i < request.hosts; ++i) {
    plan.hosts.push_back({rates[i], latencies[i]});
  }
  return plan;
}

std::string lab_topology_conf(const LabPlan& plan) {
  std::string text;
  for (std::size_t i = 0; i < plan.switches(); ++i) {
    text += fmt::format("SwitchName={} Nodes=", switch_name(i));
    const char* separator = "";
    for (std::size_t host = 0; host < plan.hosts.size(); ++host) {
      if (plan.switch_of(host) == i) {
        text += separator + host_name(host);
        separator = ",";
      }
    }
    text += "\n";
  }
  if (plan.switches() > 1) {
    text += fmt::format("SwitchName=core Switches={}[0-{}]\n", kSwitchPrefix, plan.switches() - 1);
  }
  return text;
}

}  // namespace postage
