#include "preload/statistics/timed_calls.hpp"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

namespace postage::preload {
namespace {

constexpr const char* kOwnAlgorithm = "-";

}  // namespace

/// A line for each series: its key, then numbers of calls by class, then calls.
std::string text_of(const TimedSeriesByKey& all) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const auto& [key, series] : all) {
    fmt::format_to(out, "{} {} {} {} {} {} {}", key.communicator, key.ranks, static_cast<int>(key.entry),
                   key.size_class, key.algorithm.empty() ? kOwnAlgorithm : key.algorithm, static_cast<int>(key.probe),
                   series.calls_by_class.size());
    for (const auto& [size_class, calls] : series.calls_by_class) {
      fmt::format_to(out, " {} {}", size_class, calls);
    }
    for (const TimedCall& call : series.kept) {
      fmt::format_to(out, " {} {} {} {}", call.number, call.size_class, call.entered, call.left);
    }
    text += '\n';
  }
  return text;
}

TimedSeriesByKey timed_series_of(const std::string& text) {
  TimedSeriesByKey all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    TimedKey key;
    int entry = 0;
    int probe = 0;
    std::size_t classes = 0;
    in >> key.communicator >> key.ranks >> entry >> key.size_class >> key.algorithm >> probe >> classes;
    key.entry = static_cast<Entry>(entry);
    key.probe = static_cast<Probe>(probe);
    key.algorithm = key.algorithm == kOwnAlgorithm ? "" : key.algorithm;
    TimedSeries& series = all[key];
    for (; classes > 0; --classes) {
      int size_class = 0;
      in >> size_class >> series.calls_by_class[size_class];
      series.calls += series.calls_by_class[size_class];
    }
    for (TimedCall call; in >> call.number >> call.size_class >> call.entered >> call.left;) {
      series.kept.push_back(call);
    }
  }
  return all;
}

}  // namespace postage::preload
