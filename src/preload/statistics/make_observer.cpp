#include "preload/statistics/statistics.hpp"

namespace postage::preload {

bool is_observer_wanted() {
  return Statistics::are_wanted();
}

std::unique_ptr<Observer> make_observer(const JobRank& job) {
  return Statistics::are_wanted() ? std::make_unique<Statistics>(job) : nullptr;
}

}  // namespace postage::preload
