#include "validate/suite/at_once.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

namespace postage {

void run_at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t kMost = 4;
  const std::size_t threads =
      std::min(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMost), std::max<std::size_t>(count, 1));
  std::atomic<std::size_t> next = 0;
  const auto take_and_work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        next = count;
        throw;
      }
    }
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.push_back(std::async(std::launch::async, take_and_work));
  }
  take_and_work();
  std::for_each(others.begin(), others.end(), [](std::future<void>& other) { other.get(); });
}

}  // namespace postage
