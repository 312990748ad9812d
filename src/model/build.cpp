#include "model/build_links.hpp"

#include <limits>
#include <utility>

namespace postage {
namespace {

LogGPLink read_loggp(const GroupReader& group) {
  return {group.value("L"), group.value("o_s"), group.value("o_r"), group.value("g"), group.value("G")};
}

Model build_hockney(const BuildRequest& request) {
  return Hockney{build_links(request, [](const GroupReader& group) {
    return HockneyLink{group.value("alpha"), group.value("beta")};
  })};
}

Model build_logp(const BuildRequest& request) {
  return LogP{build_links(request, [](const GroupReader& group) {
    return LogPLink{group.value("L"), group.value("o_s"), group.value("o_r"), group.value("g"),
                    static_cast<Bytes>(group.exact_or("w", 0))};
  })};
}

Model build_loggp(const BuildRequest& request) {
  return LogGP{build_links(request, read_loggp)};
}

Model build_loggps(const BuildRequest& request) {
  return LogGPS{build_links(request, [](const GroupReader& group) {
    const LogGPLink message = read_loggp(group);
    const Seconds request_and_reply = 2 * (message.latency + message.send_overhead + message.receive_overhead);
    return LogGPSLink{message, static_cast<Bytes>(group.exact("S")), group.value_or("h", request_and_reply)};
  })};
}

/// C(m, n). A message alone on its channel does not wait, whatever the first row given.
CostSurface read_contention(const GroupReader& group) {
  CostSurface contention = group.surface("C");
  if (contention.rows().front().at <= 1) {
    return contention;
  }
  std::vector<CostSurface::Row> rows{{1, CostCurve()}};
  rows.insert(rows.end(), contention.rows().begin(), contention.rows().end());
  return CostSurface(std::move(rows));
}

Model build_loggpc(const BuildRequest& request) {
  return LogGPC{build_links(request, [](const GroupReader& group) {
    return LogGPCLink{read_loggp(group), read_contention(group)};
  })};
}

Model build_lopc(const BuildRequest& request) {
  return LogGPC{build_links(request, [](const GroupReader& group) {
    const LogGPLink message{group.value("L"), group.value("o_s"), group.value("o_r"), group.value("g"), 0};
    return LogGPCLink{message, read_contention(group)};
  })};
}

Model build_cell(const BuildRequest& request) {
  return CellPLogP{build_links(request, [](const GroupReader& group) {
    return CellPLogPLink{group.curve("L"), group.curve("g"), group.has("C") ? read_contention(group) : CostSurface(),
                         group.value_or("g_ack", 0)};
  })};
}

Bytes threshold_or_none(const GroupReader& group, std::string_view symbol) {
  return group.has(symbol) ? static_cast<Bytes>(group.exact(symbol)) : std::numeric_limits<Bytes>::max();
}

FlowLink read_flow(const GroupReader& group) {
  const auto limit = [&](std::string_view rate) { return group.has(rate) ? group.inverse(rate) : 0; };
  return {.send_overhead = group.curve("o_s"),
          .receive_overhead = group.curve("o_r"),
          .written = group.has("w") ? group.curve("w") : CostCurve(),
          .latency = group.value("L"),
          .seconds_per_byte = group.value("G"),
          .limits = {limit("B_pair"), limit("B_send"), limit("B_receive"), limit("B_node")},
          .reverse_share = group.value_or("x", 0),
          .scatter = group.value_or("v", 0),
          .rendezvous_above = threshold_or_none(group, "S"),
          .awaited_from = threshold_or_none(group, "E"),
          .takes_in_one = group.has("R")};
}

Model build_flow(const BuildRequest& request) {
  Flow model{.links = build_links(request, read_flow),
             .start = read_platform_value(request, "t_0"),
             .program_step = read_platform_value(request, "t_p"),
             .first_exchange = read_platform_value(request, "t_b"),
             .answer = read_platform_value(request, "t_a"),
             .exchange = read_platform_curve(request, "t_x"),
             .copy = read_platform_curve(request, "c")};
  for (const auto& [scope, groups] : groups_by_scope(request)) {
    if (scope.is_processor()) {
      const auto rank = static_cast<std::size_t>(scope.processor);
      model.processors.resize(std::max(model.processors.size(), rank + 1));
      const GroupReader group(request.table, *groups.front(), request.bound);
      model.processors[rank] = FlowProcessor{group.curve("o_s"), group.curve("o_r")};
    }
  }
  return model;
}

using Builder = Model (*)(const BuildRequest&);

Builder find_builder(std::string_view name) {
  static constexpr std::pair<std::string_view, Builder> kBuilders[] = {
      {"hockney", build_hockney}, {"logp", build_logp},      {"loggp", build_loggp},     {"loggps", build_loggps},
      {"loggph", build_loggp},    {"loggpc", build_loggpc},  {"lopc", build_lopc},       {"plogp", build_plogp},
      {"lmo", build_lmo},         {"lognp", build_log_np},   {"log3p", build_log_3p},    {"mlognp", build_mlog_np},
      {"2log23p", build_two_log}, {"taulop", build_tau_lop}, {"plogp-cell", build_cell}, {"flow", build_flow},
  };
  return std::find_if(std::begin(kBuilders), std::end(kBuilders),
                      [&](const auto& entry) { return entry.first == name; })
      ->second;
}

}  // namespace

Model build_model(const ParameterTable& table, std::span<const std::string> channels, Bound bound) {
  const ModelDescription& description = find_model(table.model);
  if (table.groups.empty()) {
    throw Error(fmt::format("the {} model has no parameters", table.model));
  }
  const BuildRequest request{table, description, channels, bound};
  Model model = find_builder(description.name)(request);
  const double combine_per_byte = read_platform_value(request, "gamma");
  std::visit([&](auto& m) { m.combine_per_byte = combine_per_byte; }, model);
  return model;
}

}  // namespace postage
