#include "model/parameters.hpp"

#include <postage/model/plogp.hpp>
#include <postage/model/table_reader.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postage::model_descriptors {
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

double value_at(const ParameterCurve& curve, Bytes bytes) {
  const auto next = std::ranges::find_if(curve, [&](const ParameterPoint& point) { return point.bytes >= bytes; });
  if (next == curve.begin() || curve.size() < 2) {
    return curve.front().estimate.value;
  }
  const ParameterPoint& b = next == curve.end() ? curve.back() : *next;
  const ParameterPoint& a = next == curve.end() ? curve[curve.size() - 2] : *std::prev(next);
  const double slope = (b.estimate.value - a.estimate.value) / static_cast<double>(b.bytes - a.bytes);
  return b.estimate.value + slope * static_cast<double>(bytes - b.bytes);
}

/// g(m) >= o_s(m), o_r(m) again: a network that is faster than the processors waits for them.
void raise_gap_to_overheads(ParameterGroup& group) {
  const auto gap = group.curves.find("g");
  if (gap == group.curves.end()) {
    return;
  }
  std::set<Bytes> sizes;
  for (const char* symbol : {"g", "o_s", "o_r"}) {
    if (const auto found = group.curves.find(symbol); found != group.curves.end()) {
      for (const ParameterPoint& point : found->second) {
        sizes.insert(point.bytes);
      }
    }
  }
  ParameterCurve raised;
  for (const Bytes bytes : sizes) {
    const double own = value_at(gap->second, bytes);
    Estimate estimate = Estimate::exactly(own);
    const auto same = std::ranges::find_if(gap->second, [&](const auto& point) { return point.bytes == bytes; });
    if (same != gap->second.end()) {
      estimate = same->estimate;
    }
    for (const char* symbol : {"o_s", "o_r"}) {
      if (const auto found = group.curves.find(symbol); found != group.curves.end()) {
        const double least = value_at(found->second, bytes);
        estimate = estimate.value < least ? Estimate::exactly(least) : estimate;
      }
    }
    raised.push_back({bytes, estimate});
  }
  gap->second = std::move(raised);
}

PLogPLink read_plogp(const GroupReader& group) {
  return {group.value("L"), group.curve("o_s"), group.curve("o_r"), group.curve("g")};
}

Model build_plogp(const BuildRequest& request) {
  return make_model(request, PLogP{build_links(request, [&](const GroupReader& group) {
                      // The ends of intervals may cross where the values do not; cost() keeps the gap above the
                      // overheads there.
                      const GroupReader values(request.table, group.group(), Bound::kValue);
                      const PLogPLink link = read_plogp(values);
                      check_covers(values, link.gap, "o_s", link.send_overhead);
                      check_covers(values, link.gap, "o_r", link.receive_overhead);
                      return read_plogp(group);
                    })});
}

}  // namespace

ModelDescriptor plogp() {
  return {.name = "plogp",
          .title = "PLogP",
          .equation = "L + g(m); next message after g(m), which is at least o_s(m) and o_r(m)",
          .source = "T. Kielmann, H. E. Bal, K. Verstoep, IPDPS 2000",
          .parameters = {kLatency, as_curve(kSendOverhead), as_curve(kReceiveOverhead), as_curve(kGap)},
          .example = "L=20us,o_s=0:1us;64K:40us,o_r=0:1us;64K:50us,g=0:2us;64K:80us",
          .build = build_plogp,
          .restore = raise_gap_to_overheads,
          .needs = {"adaptive"},
          .order = 80,
          .accuracy_rank = 10};
}

}  // namespace postage::model_descriptors
