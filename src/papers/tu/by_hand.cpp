#include "papers/tu/by_hand.hpp"

#include <postage/predict/given_parameters.hpp>
#include <postage/schedule/algorithms.hpp>

namespace postage::tu_paper {

std::string hand_parameters() {
  return "[shared-cache] o_mw=10us,l_mw=0/8:6us [inter-node] o_mw=20us,l_mw=0/8:30us,o_net=100us";
}

MiddlewareLevel hand_node() {
  return {CostCurve::constant(10e-6), CostSurface({{8, CostCurve::constant(6e-6)}}), CostCurve()};
}

MiddlewareLevel hand_network() {
  return {CostCurve::constant(20e-6), CostSurface({{8, CostCurve::constant(30e-6)}}), CostCurve::constant(100e-6)};
}

PlatformModel hand_model(std::string_view model, const std::string& parameters, const Strides& strides) {
  const ParameterTable table = parse_parameters(model, parameters);
  const Platform platform = platform_of(table, 8, 8);
  const PlatformModel contiguous(table, platform.channels, ChannelMap(platform, Mapping::block(8, 8)));
  return strides.is_contiguous() ? contiguous : contiguous.with_strides(strides);
}

Seconds hand_bcast(std::string_view algorithm, const PlatformModel& model) {
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, algorithm),
                                           {.ranks = 64, .bytes = kHandBytes, .element_bytes = kHandStrides.run});
  return predict(schedule, model).seconds;
}

}  // namespace postage::tu_paper
