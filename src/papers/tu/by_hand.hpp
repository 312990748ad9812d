#pragma once

#include <postage/base/strides.hpp>
#include <postage/predict/formulas/tu.hpp>
#include <postage/predict/prediction.hpp>

#include <string>
#include <string_view>

namespace postage::tu_paper {

/// A job for which numbers are worked out by hand: 8 nodes of 8 cores, 4 Kbyte at a stride of 8 bytes ("4K8S").
inline constexpr Bytes kHandBytes = 4096;
inline constexpr Strides kHandStrides{4, 8};

/// o_mw = 10 us and l_mw = 6 us within a node; o'_mw = 20 us, l'_mw = 30 us and o'_net = 100 us between nodes.
[[nodiscard]] std::string hand_parameters();
[[nodiscard]] MiddlewareLevel hand_node();
[[nodiscard]] MiddlewareLevel hand_network();

/// What the evaluators give for parameters as --params takes them.
[[nodiscard]] PlatformModel hand_model(std::string_view model, const std::string& parameters,
                                       const Strides& strides = kHandStrides);
[[nodiscard]] Seconds hand_bcast(std::string_view algorithm, const PlatformModel& model);

}  // namespace postage::tu_paper
