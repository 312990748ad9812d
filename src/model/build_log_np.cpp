#include "model/build_links.hpp"

namespace postage {
namespace {

std::optional<CostSurface> read_latency(const GroupReader& group, std::string_view symbol) {
  return group.has(symbol) ? std::optional(group.surface(symbol)) : std::nullopt;
}

/// o_0, o_1, ... up to the first that is missing, each with its l_i. Where some have an l_i, those without take strided
/// messages like contiguous ones: a network's packets are contiguous (Tu et al., section II.A).
ImplicitTransfers read_transfers(const GroupReader& group) {
  ImplicitTransfers level;
  for (int i = 0; i == 0 || group.has(fmt::format("o_{}", i)); ++i) {
    level.transfers.push_back({group.curve(fmt::format("o_{}", i)), read_latency(group, fmt::format("l_{}", i))});
  }
  const bool knows_strides = !group.symbols_beginning("l_").empty();
  for (ImplicitTransfer& transfer : level.transfers) {
    if (knows_strides && !transfer.latency) {
      transfer.latency = CostSurface();
    }
  }
  const auto is_used = [&](const std::string& symbol) {
    for (std::size_t i = 0; i < level.transfers.size(); ++i) {
      if (symbol.substr(2) == std::to_string(i)) {
        return true;
      }
    }
    return false;
  };
  for (const char* prefix : {"o_", "l_"}) {
    for (const std::string& symbol : group.symbols_beginning(prefix)) {
      if (!is_used(symbol)) {
        throw group.wrong(symbol, fmt::format("belongs to no transfer; there are o_0 to o_{} without a break",
                                              level.transfers.size() - 1));
      }
    }
  }
  return level;
}

MiddlewareLevel read_middleware(const GroupReader& group) {
  return {group.curve("o_mw"), read_latency(group, "l_mw"), group.has("o_net") ? group.curve("o_net") : CostCurve()};
}

}  // namespace

Model build_log_np(const BuildRequest& request) {
  return LogNP{build_single_link(request, read_transfers)};
}

Model build_mlog_np(const BuildRequest& request) {
  return MLogNP{build_links(request, read_transfers)};
}

Model build_log_3p(const BuildRequest& request) {
  return Log3P{build_single_link(request, [](const GroupReader& group) {
    return MiddlewareLevel{group.curve("o_mw"), read_latency(group, "l_mw"), group.curve("o_net")};
  })};
}

Model build_two_log(const BuildRequest& request) {
  return TwoLog{build_links(request, read_middleware)};
}

}  // namespace postage
