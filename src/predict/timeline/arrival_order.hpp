#pragma once

#include <postage/base/units.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace postage {

/// Moments that differ by less than this share of themselves are one moment, which sums in another order have rounded
/// otherwise.
inline constexpr double kSameArrival = 1e-12;

/// The end of the moment that begins at `time`.
inline Seconds end_of_moment(Seconds time) {
  return time * (1 + kSameArrival);
}

/// Sorts messages by the moment of their arrival; those of one moment keep their order, the program's.
template <typename Message, typename ArrivalOf>
void sort_by_arrival(std::vector<Message>& messages, const ArrivalOf& arrival_of) {
  struct Entry {
    Seconds arrival = 0;
    std::size_t place = 0;
  };
  const auto in_order = [&](const Message& a, const Message& b) { return arrival_of(a) < arrival_of(b); };
  if (std::is_sorted(messages.begin(), messages.end(), in_order)) {
    return;
  }
  std::vector<Entry> entries;
  entries.reserve(messages.size());
  for (const Message& message : messages) {
    entries.push_back({arrival_of(message), entries.size()});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.arrival < b.arrival; });
  for (auto first = entries.begin(); first != entries.end();) {
    const Seconds end = end_of_moment(first->arrival);
    const auto last = std::find_if(first, entries.end(), [&](const Entry& entry) { return entry.arrival > end; });
    std::sort(first, last, [](const Entry& a, const Entry& b) { return a.place < b.place; });
    first = last;
  }
  std::vector<Message> sorted;
  sorted.reserve(messages.size());
  for (const Entry& entry : entries) {
    sorted.push_back(messages[entry.place]);
  }
  messages.swap(sorted);
}

}  // namespace postage
