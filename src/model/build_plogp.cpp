#include "model/build_links.hpp"

namespace postage {
namespace {

/// g(m) >= o(m) at the sizes where either has a point; between them both are straight. A rounding error is no mistake.
void check_covers(const GroupReader& group, const CostCurve& gap, const char* symbol, const CostCurve& overhead) {
  constexpr double kRounding = 1e-12;
  for (const CostCurve* curve : {&gap, &overhead}) {
    for (const CostCurve::Point& point : curve->points()) {
      if (gap.at(point.at) < overhead.at(point.at) * (1 - kRounding)) {
        throw group.wrong("g", fmt::format("is {} at {} bytes, below {} = {}; a gap covers both overheads",
                                           format_seconds(gap.at(point.at)), point.at, symbol,
                                           format_seconds(overhead.at(point.at))));
      }
    }
  }
}

PLogPLink read_plogp(const GroupReader& group) {
  return {group.value("L"), group.curve("o_s"), group.curve("o_r"), group.curve("g")};
}

}  // namespace

Model build_plogp(const BuildRequest& request) {
  return PLogP{build_links(request, [&](const GroupReader& group) {
    // The ends of intervals may cross where the values do not; cost() keeps the gap above the overheads there.
    const GroupReader values(request.table, group.group(), Bound::kValue);
    const PLogPLink link = read_plogp(values);
    check_covers(values, link.gap, "o_s", link.send_overhead);
    check_covers(values, link.gap, "o_r", link.receive_overhead);
    return read_plogp(group);
  })};
}

}  // namespace postage
