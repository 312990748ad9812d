#include "cli/preload/bench.hpp"

#include "cli/options/output_file.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/bench/preload.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace postage {
namespace {

std::string speedups_of(const PreloadGains& gains) {
  std::vector<double> speedups;
  for (const PreloadGain& cell : gains.cells) {
    speedups.push_back(cell.speedup);
  }
  const auto [least, most] = std::minmax_element(speedups.begin(), speedups.end());
  return fmt::format(
      "{}, {} ranks: the library's time over ours, median of {} collectives and sizes {:.2f}, from {:.2f} to {:.1f}; "
      "{} below {} beyond the interval\n",
      gains.library, gains.ranks, speedups.size(), median(speedups), *least, *most,
      std::ranges::count_if(gains.cells, &PreloadGain::is_slower), PreloadGain::kAsFast);
}

/// A row a collective, every third size and the last.
Table table_of(const PreloadGains& gains) {
  std::map<std::pair<std::string, Bytes>, double> speedups;
  std::vector<std::string> names;
  std::set<Bytes> sizes;
  for (const PreloadGain& cell : gains.cells) {
    speedups[{cell.collective, cell.bytes}] = cell.speedup;
    sizes.insert(cell.bytes);
    if (std::find(names.begin(), names.end(), cell.collective) == names.end()) {
      names.push_back(cell.collective);
    }
  }
  std::vector<Bytes> shown;
  for (const Bytes bytes : sizes) {
    const auto place = static_cast<std::size_t>(std::distance(sizes.begin(), sizes.find(bytes)));
    if (place % 3 == 0 || place + 1 == sizes.size()) {
      shown.push_back(bytes);
    }
  }
  std::vector<Table::Column> columns{{"collective"}};
  for (const Bytes bytes : shown) {
    columns.push_back({format_bytes(bytes), Table::Align::kRight});
  }
  Table table(std::move(columns));
  for (const std::string& name : names) {
    std::vector<std::string> row{name};
    for (const Bytes bytes : shown) {
      const auto cell = speedups.find({name, bytes});
      row.push_back(cell == speedups.end() ? "" : fmt::format("{:.2f}", cell->second));
    }
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace

void bench_preload(const PreloadBenchPlan& plan, const std::string& output, bool as_json) {
  const PreloadGains gains = run_preload_bench(plan);
  if (gains.cells.empty()) {
    throw Error("the benchmark of the preload library printed nothing");
  }
  if (!output.empty()) {
    write_json(output, to_json(gains));
  }
  if (as_json) {
    fmt::print("{}\n", to_json(gains).dump(1));
  } else {
    fmt::print("{}{}", speedups_of(gains), table_of(gains).render(output_width()));
  }
}

}  // namespace postage
