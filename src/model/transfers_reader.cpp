#include "model/transfers_reader.hpp"

#include "model/parameters.hpp"

#include <fmt/format.h>

#include <string>

namespace postage {

std::optional<CostSurface> read_strided_latency(const GroupReader& group, std::string_view symbol) {
  return group.has(symbol) ? std::optional(group.surface(symbol)) : std::nullopt;
}

namespace {

/// Throws Error where the group has an o_i or l_i of a transfer beyond the first missing one.
void check_indices(const GroupReader& group, std::size_t transfers) {
  for (const char* prefix : {"o_", "l_"}) {
    for (const std::string& symbol : group.symbols_with_prefix(prefix)) {
      bool is_used = false;
      for (std::size_t i = 0; i < transfers; ++i) {
        is_used = is_used || symbol.substr(2) == std::to_string(i);
      }
      if (!is_used) {
        throw group.wrong(symbol,
                          fmt::format("belongs to no transfer; there are o_0 to o_{} without a break", transfers - 1));
      }
    }
  }
}

}  // namespace

ImplicitTransfers read_implicit_transfers(const GroupReader& group) {
  ImplicitTransfers level;
  for (int i = 0; i == 0 || group.has(fmt::format("o_{}", i)); ++i) {
    level.transfers.push_back(
        {group.curve(fmt::format("o_{}", i)), read_strided_latency(group, fmt::format("l_{}", i))});
  }
  const bool knows_strides = !group.symbols_with_prefix("l_").empty();
  for (ImplicitTransfer& transfer : level.transfers) {
    if (knows_strides && !transfer.latency) {
      transfer.latency = CostSurface();
    }
  }
  check_indices(group, level.transfers.size());
  return level;
}

std::vector<ParameterDescription> implicit_transfer_parameters() {
  return {with_role(ParameterRole::kTransfer, curve("o_i", "implicit transfer i = 0 .. n-1, contiguous")),
          with_role(ParameterRole::kTransfer,
                    optional(surface("l_i", "stride", "implicit transfer i: on top of o_i for a strided message")))};
}

std::vector<ParameterDescription> middleware_parameters() {
  const auto transfer = [](const ParameterDescription& parameter) {
    return with_role(ParameterRole::kTransfer, parameter);
  };
  return {transfer(curve("o_mw", "middleware, contiguous: sender's and receiver's half")),
          transfer(optional(surface("l_mw", "stride", "middleware: on top of o_mw for a strided message"))),
          transfer(optional(surface("l_hand", "stride", "the same where the program packs and unpacks")))};
}

}  // namespace postage
