#include "model/parameters.hpp"

#include <postage/model/host_overheads.hpp>
#include <postage/model/table_reader.hpp>

namespace postage {

std::vector<ParameterDescription> host_overhead_parameters() {
  return {
      of_platform(curve("c", "what a rank takes to copy within its own memory; without it nothing")),
      of_platform(curve("t_x", "what a rank needs more in a round in which it both sends and receives")),
      of_platform({"t_0", "s", "what ranks need once for each collective, to begin it and to see its end"}),
      of_platform({"t_p", "s", "what a rank takes in each round to follow its program"}),
      of_platform({"t_b", "s",
                   "what a rank needs more in a collective's first round if it both sends and receives in "
                   "it"}),
      of_platform({"t_a", "s", "what a rank needs more for its first round in which it sends after it has received"}),
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
  return {.rewritten = group.has("w") ? group.curve("w") : CostCurve(), .scatter = group.value_or("v", 0)};
}

}  // namespace postage
