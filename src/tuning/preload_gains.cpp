#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/tuning/preload_gains.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace postage {
namespace {

/// "812.5:1630.1": ours and the library's.
struct TimedPair {
  double replaced = 0;
  double library = 0;
};

PreloadGain preload_gain_of(std::istringstream& words, const std::string& line) {
  PreloadGain gain;
  std::vector<double> replaced;
  std::vector<double> library;
  std::vector<double> ratios;
  long repetitions = 0;
  words >> gain.collective >> gain.bytes >> repetitions;
  TimedPair pair;
  for (char colon = 0; words >> pair.replaced >> colon >> pair.library;) {
    if (colon != ':' || !(pair.replaced > 0) || !(pair.library > 0)) {
      break;
    }
    replaced.push_back(1e-9 * pair.replaced);
    library.push_back(1e-9 * pair.library);
    ratios.push_back(pair.library / pair.replaced);
  }
  if (!words.eof() || ratios.empty()) {
    throw Error(fmt::format("'{}' has no times of a collective, like 'bcast 64 5000 812.5:1630.1'", line));
  }
  gain.replaced_seconds = median(replaced);
  gain.library_seconds = median(library);
  gain.speedup = median(ratios);
  constexpr std::size_t kFewest = 6;  // of which order statistics give an interval
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  gain.interval = ratios.size() < kFewest ? Interval{*least, *most} : order_median_interval(ratios, 0.95);
  return gain;
}

PreloadGain preload_gain_from_json(const JsonField& field) {
  return {.collective = field["collective"].text(),
          .bytes = field["bytes"].count<Bytes>(),
          .library_seconds = field["library_seconds"].number(),
          .replaced_seconds = field["replaced_seconds"].number(),
          .speedup = field["speedup"].number(),
          .interval = {field["lower"].bound(0), field["upper"].bound(std::numeric_limits<double>::infinity())}};
}

}  // namespace

std::vector<PreloadGain> parse_preload_gains(const std::string& lines) {
  std::vector<PreloadGain> gains;
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    gains.push_back(preload_gain_of(words, line));
  }
  return gains;
}

Json to_json(const PreloadGains& gains) {
  Json cells = Json::array();
  for (const PreloadGain& gain : gains.cells) {
    cells.push_back({{"collective", gain.collective},
                     {"bytes", gain.bytes},
                     {"library_seconds", gain.library_seconds},
                     {"replaced_seconds", gain.replaced_seconds},
                     {"speedup", gain.speedup},
                     {"lower", gain.interval.lower},
                     {"upper", gain.interval.upper}});
  }
  return {{"format", kPreloadGainsFormat}, {"version", kPreloadGainsVersion},
          {"library", gains.library},      {"host", gains.host},
          {"ranks", gains.ranks},          {"cells", std::move(cells)}};
}

PreloadGains preload_gains_from_json(const Json& value, const std::filesystem::path& source) {
  check_envelope(value, kPreloadGainsFormat, kPreloadGainsVersion, source);
  const JsonField file(value, source);
  PreloadGains gains{
      .library = file["library"].text(), .host = file["host"].text(), .ranks = file["ranks"].count<int>(), .cells = {}};
  file["cells"].for_each_item([&](const JsonField& cell) { gains.cells.push_back(preload_gain_from_json(cell)); });
  return gains;
}

}  // namespace postage
