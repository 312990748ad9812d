#include "model/parameters.hpp"

#include <postage/model/host_overheads.hpp>
#include <postage/model/table_reader.hpp>

namespace postage {

std::vector<ParameterDescription> host_overhead_parameters() {
  return {
      overhead(of_platform(curve("c", "copying m bytes within the memory of a rank; without it no time"))),
      overhead(of_platform(curve("t_x", "additional time of a round in which a rank both sends and receives"))),
      overhead(of_platform({"t_0", "s", "start-up overhead, once for each collective"})),
      overhead(of_platform({"t_p", "s", "executor overhead, in each round of a rank"})),
      overhead(of_platform(
          {"t_b", "s", "simultaneous-start delay of a first round in which a rank both sends and receives"})),
      overhead(of_platform({"t_a", "s", "first-response delay of a rank's first send after it has received"})),
  };
}

HostOverheads read_host_overheads(const BuildRequest& request) {
  return {.start = read_platform_value(request, "t_0"),
          .first_response = read_platform_value(request, "t_a"),
          .simultaneous_start = read_platform_value(request, "t_b"),
          .executor = read_platform_value(request, "t_p"),
          .exchange = read_platform_curve(request, "t_x"),
          .copy = read_platform_curve(request, "c")};
}

HostLinkOverheads read_host_link_overheads(const GroupReader& group) {
  const auto curve_of = [&](std::string_view symbol) { return group.has(symbol) ? group.curve(symbol) : CostCurve(); };
  return {.rewritten = curve_of("w"),
          .handshake = curve_of("h"),
          .rewritten_get = curve_of("d"),
          .crossing = curve_of("y"),
          .unawaited = curve_of("z"),
          .acknowledged = curve_of("a"),
          .spilled = curve_of("b"),
          .overwriting = curve_of("u"),
          .scatter = group.value_or("v", 0)};
}

}  // namespace postage
