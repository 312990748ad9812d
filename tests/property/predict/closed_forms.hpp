#pragma once

// What tests of the papers' formulas share.
#include "random_models.hpp"

#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <string_view>

namespace postage {

inline CellPLogPLink any_cell_link() {
  const CostCurve gap = any_curve();
  return {.latency = sum_of(gap, any_curve()), .gap = gap, .gap_of_ack = any_time()};
}

inline Seconds evaluate(Collective collective, std::string_view name, const ScheduleRequest& request,
                        const ChannelMap& channels, const Model& model) {
  return play(build_schedule(find_algorithm(collective, name), request), channels, model).seconds();
}

inline Seconds evaluate(Collective collective, std::string_view name, const ScheduleRequest& request,
                        const Model& model) {
  return evaluate(collective, name, request, ChannelMap::single_channel(), model);
}

}  // namespace postage
