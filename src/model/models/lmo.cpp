#include "model/parameters.hpp"

#include <postage/model/lmo.hpp>
#include <postage/model/table_reader.hpp>

#include <fmt/format.h>

namespace postage::model_descriptors {
namespace {

LmoProcessor read_processor(const GroupReader& group) {
  return {group.value("C"), group.value("t")};
}

LmoLink read_link_of_lmo(const GroupReader& group) {
  LmoLink link{.seconds_per_byte = group.inverse("beta"), .latency = group.value_or("L", 0)};
  if (group.has("C") || group.has("t")) {
    link.any_processor = read_processor(group);
  }
  return link;
}

/// S, M_1, M_2, kappa_1 and kappa_2, all or none; perhaps E.
std::optional<LmoLimits> read_limits(const BuildRequest& request) {
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
  LmoLimits limits{static_cast<Bytes>(group.exact("S")), static_cast<Bytes>(group.exact("M_1")),
                   static_cast<Bytes>(group.exact("M_2")), group.signed_value("kappa_1"),
                   group.signed_value("kappa_2")};
  if (group.has("E")) {
    limits.longest_escalation = group.value("E");
  }
  if (limits.gather_small > limits.gather_large) {
    throw group.wrong("M_1", fmt::format("is {}, above M_2 = {}; gather's medium messages lie between them",
                                         format_bytes(limits.gather_small), format_bytes(limits.gather_large)));
  }
  return limits;
}

Model build_lmo(const BuildRequest& request) {
  Lmo model{.links = build_links(request, read_link_of_lmo), .limits = read_limits(request)};
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
  return make_model(request, std::move(model));
}

ParameterDescription limit(std::string_view symbol, std::string_view meaning) {
  return of_platform({symbol, "B", meaning});
}

ParameterDescription correction(std::string_view symbol, std::string_view meaning) {
  ParameterDescription parameter = of_platform({symbol, "s/B", meaning});
  parameter.may_be_negative = true;
  return parameter;
}

}  // namespace

ModelDescriptor lmo() {
  return {
      .name = "lmo",
      .title = "LMO",
      .equation = "C_i + m*t_i + C_j + m*t_j + m/beta_ij, and L_ij more where a link has a latency of its own",
      .source = "A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, section 5; L_ij: with M. O'Flynn, IJHPCA 24(1), 2010",
      .parameters = {of_processor({"C", "s", "fixed delay of a processor"}),
                     of_processor({"t", "s/B", "delay of a processor per byte"}),
                     {"beta", "B/s", "transmission rate of a link"},
                     optional({"L", "s",
                               "latency of a link that keeps no processor; 0 where C holds it, as in the "
                               "paper"}),
                     limit("S", "linear scatter: larger blocks are serialised"),
                     limit("M_1", "linear gather: below it the time is linear"),
                     limit("M_2", "linear gather: above it the time is linear again"),
                     correction("kappa_1", "linear gather: correction of the slope below M_1"),
                     correction("kappa_2", "linear gather: correction of the slope above M_2"),
                     of_platform({"E", "s", "linear gather: longest escalation seen between M_1 and M_2"})},
      .example = "C=40us,t=4ns,beta=100MB/s [processor 0] C=30us,t=3ns [pair 0 1] beta=110MB/s",
      .build = build_lmo,
      .needs = {"one-to-two", "sweeps"},
      .order = 100,
      .accuracy_rank = 14};
}

}  // namespace postage::model_descriptors
