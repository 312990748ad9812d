#pragma once

#include <postage/base/units.hpp>

#include <algorithm>

namespace postage {

/// Paces work that is worth repeating but takes time itself, like writing a file: it is due again after 20 times what
/// it took last, at least `every` seconds after that.
class Pace {
 public:
  /// As if it had been done at `last`, in no time.
  explicit Pace(Seconds last, Seconds every = 0) : last_(last), every_(every) {}

  [[nodiscard]] bool is_due(Seconds now) const {
    constexpr double kTimesItsCost = 20;
    return now - last_ > std::max(every_, kTimesItsCost * took_);
  }
  void done(Seconds begin, Seconds end) {
    last_ = end;
    took_ = end - begin;
  }

 private:
  Seconds last_;
  Seconds every_;
  Seconds took_ = 0;
};

}  // namespace postage
