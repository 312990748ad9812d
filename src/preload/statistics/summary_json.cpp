#include "preload/statistics/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace postage::preload {
namespace {

// Written by hand: names need no escapes, and the library that programs load stays small.

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) {
    text += (text.empty() ? "" : ",\n  ") + item;
  }
  return text;
}

std::string lower_name(Entry entry) {
  std::string name = std::string(name_of(entry)).substr(4);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string median_of(const std::optional<TypicalTime>& time) {
  return time ? fmt::format("{}", time->median) : "null";
}

std::string fields_of(const std::optional<Gain>& gain) {
  constexpr const char* kFields =
      R"("gained_seconds": {}, "gained_least_seconds": {}, "gained_most_seconds": {}, "probes_gained_seconds": {})";
  if (!gain) {
    return fmt::format(fmt::runtime(kFields), "null", "null", "null", "null");
  }
  const Interval interval = gain->interval();
  return fmt::format(fmt::runtime(kFields), gain->all(), interval.lower, interval.upper, gain->probes());
}

std::string algorithms_of(const SizeSummary& size) {
  std::string text;
  for (const auto& [name, calls] : size.algorithms) {
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", name, calls);
  }
  return text;
}

std::string size_of(const SizeSummary& size) {
  return fmt::format(
      R"({{"from": {}, "below": {}, "calls": {}, "replaced": {}, "own_seconds": {}, "replaced_seconds": {}, )"
      R"("own_call_seconds": {}, "replaced_call_seconds": {}, {}, "algorithms": {{{}}}}})",
      size.size.first(), size.size.end(), size.own.calls + size.replaced.calls, size.replaced.calls, size.own.seconds,
      size.replaced.seconds, median_of(size.own_time()), median_of(size.replaced_time()), fields_of(size.gained()),
      algorithms_of(size));
}

std::string call_of(const CallSummary& call) {
  std::vector<std::string> sizes;
  for (const SizeSummary& size : call.sizes) {
    sizes.push_back(size_of(size));
  }
  const CallTotals total = call.total();
  return fmt::format(R"({{"name": "{}", "calls": {}, "replaced": {}, "bytes": {}, "seconds": {}, "sizes": [{}]}})",
                     lower_name(call.entry), total.calls, call.replaced(), total.bytes, total.seconds, joined(sizes));
}

std::string calls_of(const Summary& summary, bool collectives) {
  std::vector<std::string> calls;
  for (const CallSummary& call : summary.calls) {
    if (is_blocking_collective(call.entry) == collectives) {
      calls.push_back(call_of(call));
    }
  }
  return joined(calls);
}

std::string sizes_of(const MessageSizes& sizes) {
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const SizeClass size = SizeClass::numbered(static_cast<int>(i));
    if (sizes[i].messages > 0) {
      rows.push_back(fmt::format(R"({{"from": {}, "below": {}, "messages": {}, "bytes": {}}})", size.first(),
                                 size.end(), sizes[i].messages, sizes[i].bytes));
    }
  }
  return joined(rows);
}

}  // namespace

std::string json_of(const Summary& s) {
  return fmt::format(
      R"({{"format": "postage profile", "version": 1, "library": "{}", "ranks": {}, "nodes": {},
 "more_ranks_than_cores": {}, "seconds": {}, "communication_seconds": {}, "least_communication_seconds": {}, "most_communication_seconds": {},
 "collectives": [{}],
 "other_calls": [{}],
 "messages": {{"point_to_point": [{}],
  "collective": [{}]}}}}
)",
      s.library, s.ranks, s.nodes, s.more_ranks_than_cores, s.program, s.communication, s.least_communication,
      s.most_communication, calls_of(s, true), calls_of(s, false), sizes_of(s.point_to_point), sizes_of(s.collective));
}

}  // namespace postage::preload
