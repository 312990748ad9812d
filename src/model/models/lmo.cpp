#include "model/parameters.hpp"

#include <postage/model/lmo.hpp>
#include <postage/model/table_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// E_1 and f_1, E_2 and f_2, ...: the shortest first.
std::vector<EscalationStep> read_levels_of_fans(const GroupReader& group) {
  std::vector<EscalationStep> levels;
  double shares = 0;
  for (const std::string& symbol : group.symbols_with_prefix("E_")) {
    const std::string share = "f_" + symbol.substr(2);
    EscalationStep& level = levels.emplace_back(EscalationStep{group.value(symbol)});
    if (group.has(share)) {
      level.share = group.exact(share);
      shares += *level.share;
    }
    if (shares > 1) {
      throw group.wrong(share, fmt::format("makes the shares of all levels {}; they are at most 1 together", shares));
    }
  }
  for (const std::string& symbol : group.symbols_with_prefix("f_")) {
    if (!group.has("E_" + symbol.substr(2))) {
      throw group.wrong(symbol, fmt::format("is the share of no level: give E_{} as well", symbol.substr(2)));
    }
  }
  std::ranges::sort(levels, {}, &EscalationStep::seconds);
  return levels;
}

/// One that has no upper end was not met up to its value: nobody knows where it is.
Bytes read_size_of_fans(const GroupReader& group, const char* symbol) {
  const bool is_known = group.has(symbol) && std::isfinite(group.group().values.at(symbol).upper);
  return is_known ? static_cast<Bytes>(group.exact(symbol)) : FanLimits::kNever;
}

double read_correction_of_fans(const GroupReader& group, const char* symbol) {
  return group.has(symbol) ? group.signed_value(symbol) : 0;
}

FanLimits read_limits(const BuildRequest& request) {
  const ParameterGroup* platform = find_platform_group(request.table);
  if (platform == nullptr) {
    return {};
  }
  const GroupReader group(request.table, *platform, request.bound);
  FanLimits limits{.scatter_step = read_size_of_fans(group, "S"),
                   .gather_small = read_size_of_fans(group, "M_1"),
                   .gather_large = read_size_of_fans(group, "M_2"),
                   .small_correction = read_correction_of_fans(group, "kappa_1"),
                   .large_correction = read_correction_of_fans(group, "kappa_2"),
                   .levels = read_levels_of_fans(group)};
  if (group.has("M_1") != group.has("M_2")) {
    throw group.wrong(group.has("M_1") ? "M_1" : "M_2",
                      "stands alone; gather's medium messages lie between M_1 and M_2: give both or none");
  }
  if (limits.gather_small > limits.gather_large) {
    throw group.wrong("M_1", fmt::format("is {}, above M_2 = {}; gather's medium messages lie between them",
                                         format_bytes(limits.gather_small), format_bytes(limits.gather_large)));
  }
  return limits;
}

Model build_lmo(const BuildRequest& request) {
  Lmo model{.links = build_links(request, read_link_of_lmo), .fan_limits = read_limits(request)};
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
  const std::vector<int> stand_for = processors_that_stand_for(request);
  model.processors.resize(std::max(model.processors.size(), stand_for.size()));
  for (std::size_t rank = 0; rank < stand_for.size(); ++rank) {
    if (stand_for[rank] >= 0 && stand_for[rank] != static_cast<int>(rank)) {
      model.processors[rank] = model.processors[static_cast<std::size_t>(stand_for[rank])];
    }
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
      .parameters = {of_processor(overhead({"C", "s", "fixed delay of a processor"})),
                     of_processor(overhead({"t", "s/B", "delay of a processor per byte"})),
                     bandwidth({"beta", "B/s", "transmission rate of a link"}),
                     optional(latency({"L", "s",
                                       "latency of a link that keeps no processor; 0 where C holds it, as in the "
                                       "paper"})),
                     limit("S", "one rank sends to several: larger blocks are serialised"),
                     limit("M_1", "several send to one: below it the time is linear"),
                     limit("M_2", "several send to one: above it the time is linear again"),
                     correction("kappa_1", "several send to one: correction of the slope below M_1"),
                     correction("kappa_2", "several send to one: correction of the slope above M_2"),
                     of_platform({"E_i", "s",
                                  "several send to one: level i of what some take on top between M_1 and M_2, "
                                  "i = 1, 2, ..."}),
                     of_platform({"f_i", "1", "several send to one: share of those that take level i"})},
      .example = "C=40us,t=4ns,beta=100MB/s [processor 0] C=30us,t=3ns [pair 0 1] beta=110MB/s",
      .build = build_lmo,
      .needs = {"one-to-two", "sweeps"},
      .order = 100,
      .accuracy_rank = 14};
}

}  // namespace postage::model_descriptors
