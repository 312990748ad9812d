#pragma once

#include <postage/base/statistics.hpp>
#include <postage/base/units.hpp>

#include <optional>
#include <span>

namespace postage::preload {

/// What calls that were carried out alike take.
struct TypicalTime {
  Seconds median = 0;
  Interval interval{};  ///< of the median, at 95 %
};

/// By order statistics; of less than six, of which none say enough, by Student's t. Nothing for less than two.
[[nodiscard]] std::optional<TypicalTime> typical_time(std::span<const Seconds> seconds);

/// By how much calls that were replaced took less than the library's own would have, on all ranks together; less than
/// nothing where they took more. Its interval at 95 % is that of Zou and Donner, Statistics in Medicine 27 (2008): each
/// end is as far away as the ends of the intervals that it is made of, squared and summed up.
class Gain {
 public:
  [[nodiscard]] Seconds all() const { return all_; }
  [[nodiscard]] Seconds probes() const { return probes_; }
  [[nodiscard]] Interval interval() const;
  /// Whether it is told from nothing.
  [[nodiscard]] bool is_certain() const { return !interval().contains(0); }

  /// `calls` that were carried out alike.
  void add_replaced(double calls, const TypicalTime& librarys, const TypicalTime& ours, bool are_probes);
  /// Once all calls are added that were compared with this time of the library's.
  void add_uncertainty_of(const TypicalTime& librarys);
  /// Of calls that were compared with other times.
  void add(const Gain& other);

 private:
  Seconds all_ = 0;
  Seconds probes_ = 0;
  double calls_ = 0;
  double below_ = 0;  ///< square of how far the interval's ends are from it
  double above_ = 0;
};

}  // namespace postage::preload
