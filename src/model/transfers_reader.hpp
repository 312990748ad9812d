#pragma once

#include <postage/model/descriptor.hpp>
#include <postage/model/group_reader.hpp>
#include <postage/model/log_np.hpp>

#include <optional>
#include <vector>

namespace postage {

/// l of that symbol, a surface over size and stride; nothing where it is not given.
[[nodiscard]] std::optional<CostSurface> read_strided_latency(const GroupReader& group, std::string_view symbol);

/// o_0, o_1, ... up to the first that is missing, each with its l_i. Where some have an l_i, those without take strided
/// messages like contiguous ones: a network's packets are contiguous (Tu et al., section II.A).
[[nodiscard]] ImplicitTransfers read_implicit_transfers(const GroupReader& group);

/// Parameters of implicit transfers, and of the middleware of log_3P and its relatives.
[[nodiscard]] std::vector<ParameterDescription> implicit_transfer_parameters();
[[nodiscard]] std::vector<ParameterDescription> middleware_parameters();

}  // namespace postage
