#include "model/build_links.hpp"

namespace postage {
namespace {

LmoProcessor read_processor(const GroupReader& group) {
  return {group.value("C"), group.value("t")};
}

LmoLink read_link(const GroupReader& group) {
  LmoLink link{.seconds_per_byte = group.inverse("beta"), .latency = group.value_or("L", 0)};
  if (group.has("C") || group.has("t")) {
    link.any_processor = read_processor(group);
  }
  return link;
}

/// S, M_1, M_2, kappa_1 and kappa_2, all or none; perhaps E.
std::optional<LmoThresholds> read_thresholds(const BuildRequest& request) {
  const ParameterGroup* platform = find_platform_group(request.table);
  if (platform == nullptr) {
    return std::nullopt;
  }
  const GroupReader group(request.table, *platform, request.bound);
  const bool any =
      group.has("S") || group.has("M_1") || group.has("M_2") || group.has("kappa_1") || group.has("kappa_2");
  if (!any) {
    return std::nullopt;
  }
  LmoThresholds thresholds{static_cast<Bytes>(group.exact("S")), static_cast<Bytes>(group.exact("M_1")),
                           static_cast<Bytes>(group.exact("M_2")), group.signed_value("kappa_1"),
                           group.signed_value("kappa_2")};
  if (group.has("E")) {
    thresholds.longest_escalation = group.value("E");
  }
  if (thresholds.gather_small > thresholds.gather_large) {
    throw group.wrong("M_1", fmt::format("is {}, above M_2 = {}; gather's medium messages lie between them",
                                         format_bytes(thresholds.gather_small), format_bytes(thresholds.gather_large)));
  }
  return thresholds;
}

}  // namespace

Model build_lmo(const BuildRequest& request) {
  Lmo model{.links = build_links(request, read_link), .thresholds = read_thresholds(request)};
  for (const auto& [scope, groups] : groups_by_scope(request)) {
    if (!scope.is_processor()) {
      continue;
    }
    const auto rank = static_cast<std::size_t>(scope.processor);
    if (model.processors.size() <= rank) {
      model.processors.resize(rank + 1);
    }
    model.processors[rank] = read_regimes(request, groups, read_processor);
  }
  return model;
}

}  // namespace postage
