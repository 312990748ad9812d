#include <postage/preload/observer.hpp>

namespace postage::preload {

bool is_observer_wanted() {
  return false;
}

std::unique_ptr<Observer> make_observer(const JobRank&) {
  return nullptr;
}

}  // namespace postage::preload
