#include "cli/tables/outlier_table.hpp"

#include "cli/table.hpp"

#include <postage/platform/host_list.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

std::string sizes_of(const Outlier& outlier) {
  return outlier.smallest == outlier.largest
             ? format_bytes(outlier.largest)
             : fmt::format("{} to {}", format_bytes(outlier.smallest), format_bytes(outlier.largest));
}

Json json_of(const Outlier& outlier) {
  static constexpr const char* kKinds[] = {"host", "group", "pair"};
  return {
      {"kind", kKinds[static_cast<int>(outlier.kind)]},
      {"names", outlier.names},
      {"within_host", outlier.is_inside},
      {"smallest_bytes", outlier.smallest},
      {"largest_bytes", outlier.largest},
      {"slower", {{"value", outlier.slower.value}, {"lower", outlier.slower.lower}, {"upper", outlier.slower.upper}}},
      {"usual_seconds", outlier.usual},
      {"pairs", outlier.pairs},
      {"others", outlier.others}};
}

}  // namespace

void print_outliers(const OutlierReport& report) {
  if (!report.outliers.empty()) {
    Table table({{"slow"},
                 {"messages"},
                 {"longer by", Table::Align::kRight},
                 {"95 % interval", Table::Align::kRight},
                 {"usual", Table::Align::kRight},
                 {"here", Table::Align::kRight},
                 {"pairs"}});
    for (const Outlier& outlier : report.outliers) {
      table.add_row(
          {describe(outlier), sizes_of(outlier), signed_percent(outlier.slower.value),
           fmt::format("{} to {}", signed_percent(outlier.slower.lower), signed_percent(outlier.slower.upper)),
           format_seconds(outlier.usual), format_seconds(outlier.usual * (1 + outlier.slower.value)),
           fmt::format("{}, beside {} others", outlier.pairs, outlier.others)});
    }
    fmt::print("{}", table.render(output_width()));
  }
  if (report.too_many) {
    fmt::print("more than a quarter of the hosts are slower than the others: they may be another kind of hosts\n");
  }
  if (!report.untested.empty()) {
    fmt::print("not tested, since too few pairs of hosts were measured: {}; give the campaign's --samples\n",
               format_host_list(report.untested));
  }
}

Json to_json(const OutlierReport& report) {
  Json outliers = Json::array();
  for (const Outlier& outlier : report.outliers) {
    outliers.push_back(json_of(outlier));
  }
  return {{"outliers", std::move(outliers)},
          {"untested", report.untested},
          {"pairs", report.pairs},
          {"too_many", report.too_many}};
}

}  // namespace postage
