#include "preload/statistics/profile.hpp"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

namespace postage::preload {
namespace {

constexpr const char* kNoAlgorithm = "-";

void write_sizes(std::string& text, const char* kind, const MessageSizes& sizes) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].messages > 0) {
      fmt::format_to(std::back_inserter(text), "{} {} {} {}\n", kind, i, sizes[i].messages, sizes[i].bytes);
    }
  }
}

void read_size(std::istream& in, MessageSizes& sizes) {
  std::size_t number = 0;
  MessageTotals totals;
  in >> number >> totals.messages >> totals.bytes;
  sizes.at(number) = totals;
}

void read_call(std::istream& in, Counts& counts) {
  int entry = 0;
  CallKey key;
  CallTotals totals;
  in >> entry >> key.size_class >> key.algorithm >> totals.calls >> totals.bytes >> totals.seconds;
  key.entry = static_cast<Entry>(entry);
  key.algorithm = key.algorithm == kNoAlgorithm ? "" : key.algorithm;
  counts.calls[key] = totals;
}

}  // namespace

std::string text_of(const Counts& counts) {
  std::string text = fmt::format("time {} {}\n", counts.program, counts.communication);
  for (const auto& [key, totals] : counts.calls) {
    fmt::format_to(std::back_inserter(text), "call {} {} {} {} {} {}\n", static_cast<int>(key.entry), key.size_class,
                   key.algorithm.empty() ? kNoAlgorithm : key.algorithm, totals.calls, totals.bytes, totals.seconds);
  }
  write_sizes(text, "p2p", counts.point_to_point);
  write_sizes(text, "collective", counts.collective);
  return text;
}

Counts counts_of(const std::string& text) {
  Counts counts;
  std::istringstream in(text);
  for (std::string kind; in >> kind;) {
    if (kind == "time") {
      in >> counts.program >> counts.communication;
    } else if (kind == "call") {
      read_call(in, counts);
    } else {
      read_size(in, kind == "p2p" ? counts.point_to_point : counts.collective);
    }
  }
  return counts;
}

}  // namespace postage::preload
