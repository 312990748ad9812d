#include <postage/base/at_once.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace postage {
namespace {

/// That of the first piece of work, whichever thread threw it first: all before it have begun, and end.
class FirstFailure {
 public:
  void keep(std::size_t index, std::exception_ptr failure) {
    const std::scoped_lock lock(mutex_);
    if (!failure_ || index < index_) {
      index_ = index;
      failure_ = std::move(failure);
    }
  }

  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  std::mutex mutex_;
  std::size_t index_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

void run_at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t kMost = 4;
  const std::size_t threads =
      std::min(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMost), std::max<std::size_t>(count, 1));
  std::atomic<std::size_t> next = 0;
  FirstFailure failure;
  const auto take_and_work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failure.keep(i, std::current_exception());
        next = count;
      }
    }
  };
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.push_back(std::async(std::launch::async, take_and_work));
  }
  take_and_work();
  std::for_each(others.begin(), others.end(), [](std::future<void>& other) { other.get(); });
  failure.rethrow();
}

}  // namespace postage
