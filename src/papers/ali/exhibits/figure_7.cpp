#include "papers/ali/blade_study.hpp"
#include "papers/builtin_papers.hpp"

#include <postage/model/cell_plogp.hpp>

#include <fmt/format.h>

#include <array>

namespace postage::ali_paper {
namespace {

constexpr Bytes kSmallest = 16;
constexpr Bytes kLargest = 32 * 1024;
constexpr Rank kSecondChip = 8;

const CellPLogPLink& link_of(const PlatformModel& platform, Rank to) {
  return platform.model().target<CellPLogP>()->links.at({.channel = platform.channels().channel_of(0, to)});
}

template <typename OfSize>
DrawnCurve curve_of(std::string label, const OfSize& of_size) {
  DrawnCurve curve{.label = std::move(label)};
  for (Bytes bytes = 2 * kSmallest; bytes <= kLargest; bytes *= 2) {
    curve.x.push_back(static_cast<double>(bytes));
    curve.y.push_back(of_size(static_cast<double>(bytes)));
  }
  return curve;
}

ExhibitResult gaps(PaperContext& context) {
  const BladeStudy study(context);
  const BladeParameters& own = study.parameters(Parameters::kOwn);
  const BladeParameters& kielmann = study.parameters(Parameters::kKielmannGap);
  const auto gap = [](const PlatformModel& platform, Rank to) {
    return [&platform, to](double bytes) { return link_of(platform, to).gap.at(bytes); };
  };
  ExhibitResult result;
  for (const double bytes : {64.0, 1024.0, 32768.0}) {
    const auto add = [&](const char* symbol, const PlatformModel& platform, Rank to) {
      result.rows.push_back(our_row(fmt::format("{}({})", symbol, format_bytes(static_cast<Bytes>(bytes))),
                                    gap(platform, to)(bytes), AxisUnit::kSeconds));
    };
    add("g", own.chip, 1);
    add("g_1", own.blade, 1);
    add("g_2", own.blade, kSecondChip);
    add("Kielmann's g", kielmann.chip, 1);
  }
  result.why =
      "The paper draws g_1 apart from g. Here it is below g up to 4K, since gets from across the BIF arrive when those "
      "of "
      "the chip have been served; beyond, all take turns at the root's port. Kielmann's g has a whole get in it.";
  result.charts = {{.title = "Gap by gets from one SPE, and by roundtrips",
                    .curves = {curve_of("g, one chip", gap(own.chip, 1)), curve_of("g_1, two chips", gap(own.blade, 1)),
                               curve_of("g_2, across", gap(own.blade, kSecondChip)),
                               curve_of("Kielmann's g, one chip", gap(kielmann.chip, 1))}}};
  return result;
}

/// C(m, n) beside the get that it delays: L_2(m) less the address.
double slowdown(const CellPLogPLink& across, double bytes, double messages) {
  return across.contention.at(bytes, messages) / (across.latency.at(bytes) - across.latency_of(0));
}

ExhibitResult contention(PaperContext& context) {
  const BladeStudy study(context);
  const CellPLogPLink& across = link_of(study.parameters(Parameters::kOwn).blade, kSecondChip);
  double largest = 0;
  for (double bytes = 64; bytes <= kLargest; bytes *= 2) {
    largest = std::max(largest, slowdown(across, bytes, 16));
  }
  ExhibitResult result;
  result.rows = {number_row("largest increase by congestion, BIF-16", 2.18, largest, AxisUnit::kShare, 0.005),
                 claim_row("BIF-16 at 256 bytes", "almost none up to 256 bytes", slowdown(across, 256, 16),
                           AxisUnit::kShare, slowdown(across, 256, 16) < 0.1),
                 claim_row("BIF-16 at 128 bytes", "almost none up to 256 bytes", slowdown(across, 128, 16),
                           AxisUnit::kShare, slowdown(across, 128, 16) < 0.1),
                 claim_row("BIF-16 at 1K", "climbs above 256 bytes", slowdown(across, 1024, 16), AxisUnit::kShare,
                           slowdown(across, 1024, 16) > slowdown(across, 256, 16))};
  result.why =
      "Nothing of this is put in: one stream has 16 lines of 128 bytes under way, each for 734 cycles, which is a "
      "third "
      "of what the BIF can pass; eight share it. \"Almost none\" is taken as less than 10 %.";
  PaperChart chart{.title = "Gets across the BIF, n at once", .curves = {}};
  for (const double messages : {2.0, 4.0, 8.0, 12.0, 16.0}) {
    chart.curves.push_back(curve_of(fmt::format("BIF-{}", messages), [&](double bytes) {
      return across.latency.at(bytes) - across.latency_of(0) + across.contention.at(bytes, messages);
    }));
  }
  result.charts = {std::move(chart)};
  return result;
}

}  // namespace

Exhibits figure_7() {
  return {{.kind = ExhibitKind::kFigure,
           .number = "7",
           .caption = "gaps on one chip and two",
           .where = {"src/blade/benchmarks/gaps.cpp#gap_of_gets"},
           .source = ExhibitSource::kSimulated,
           .duration = 15,
           .command = "postage-blade parameters",
           .compute = gaps},
          {.kind = ExhibitKind::kFigure,
           .number = "8",
           .caption = "congestion of the BIF",
           .where = {"src/blade/benchmarks/gaps.cpp#congestion"},
           .source = ExhibitSource::kSimulated,
           .duration = 15,
           .command = "postage-blade parameters",
           .compute = contention}};
}

}  // namespace postage::ali_paper
