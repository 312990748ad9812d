#pragma once

#include <postage/base/units.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace postage {

/// The value at the end of the first `by` bytes of a range: what the second part has when a range is cut. A type that
/// depends on the position has an overload of its own.
template <typename Value>
[[nodiscard]] Value advanced(const Value& value, Bytes /*by*/) {
  return value;
}

/// One value for each of some disjoint ranges of bytes, which grow, shrink and are cut as others are written over them.
/// All operations are O(log ranges) and O(1) more for each range met.
template <typename Value>
class IntervalMap {
 public:
  /// Gives [begin, end) this value, whatever was there.
  void assign(Bytes begin, Bytes end, const Value& value) {
    if (begin < end) {
      erase(begin, end);
      ranges_.emplace(begin, Range{end, value});
    }
  }

  /// Leaves [begin, end) without a value.
  void erase(Bytes begin, Bytes end) {
    if (begin < end) {
      cut(begin);
      cut(end);
      ranges_.erase(ranges_.lower_bound(begin), ranges_.lower_bound(end));
    }
  }

  void clear() { ranges_.clear(); }

  /// Calls visit(begin, end, value) for the parts of [begin, end) in order; `value` points to the value of the part's
  /// first byte, and is null where there is none.
  template <typename Visit>
  void for_each(Bytes begin, Bytes end, const Visit& visit) const {
    for (auto range = first_after(begin); begin < end;) {
      const Bytes gap_end = range == ranges_.end() ? end : std::min(range->first, end);
      if (begin < gap_end) {
        visit(begin, gap_end, static_cast<const Value*>(nullptr));
        begin = gap_end;
        continue;
      }
      const Value value = advanced(range->second.value, begin - range->first);
      const Bytes part_end = std::min(range->second.end, end);
      visit(begin, part_end, &value);
      begin = part_end;
      ++range;
    }
  }

  /// True where some byte of [begin, end) has a value.
  [[nodiscard]] bool meets(Bytes begin, Bytes end) const {
    const auto range = first_after(begin);
    return begin < end && range != ranges_.end() && range->first < end;
  }

 private:
  struct Range {
    Bytes end = 0;
    Value value{};
  };
  using Ranges = std::map<Bytes, Range>;

  /// The first range that ends after `at`.
  [[nodiscard]] typename Ranges::const_iterator first_after(Bytes at) const {
    auto range = ranges_.upper_bound(at);
    if (range != ranges_.begin() && at < std::prev(range)->second.end) {
      --range;
    }
    return range;
  }

  /// Makes `at` the start of a range, where it lies inside one.
  void cut(Bytes at) {
    auto range = ranges_.lower_bound(at);
    if (range == ranges_.begin()) {
      return;
    }
    --range;
    Range& whole = range->second;
    if (at < whole.end) {
      ranges_.emplace(at, Range{whole.end, advanced(whole.value, at - range->first)});
      whole.end = at;
    }
  }

  Ranges ranges_;
};

}  // namespace postage
