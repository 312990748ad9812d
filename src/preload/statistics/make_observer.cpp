#include "preload/statistics/environment.hpp"
#include "preload/statistics/recorder.hpp"
#include "preload/statistics/statistics.hpp"

namespace postage::preload {
namespace {

constexpr const char* kTrace = "POSTAGE_TRACE";

/// Statistics and a trace of the same run.
class Both final : public Observer {
 public:
  explicit Both(const JobRank& job, const std::string& file) : statistics_(job), recorder_(job, file) {}

  void observe(const CallEvent& event) override {
    statistics_.observe(event);
    recorder_.observe(event);
  }
  void finish(const GatherText& gather) override {
    statistics_.finish(gather);
    recorder_.finish(gather);
  }

 private:
  Statistics statistics_;
  Recorder recorder_;
};

}  // namespace

bool is_observer_wanted() {
  return Statistics::are_wanted() || setting(kTrace);
}

std::unique_ptr<Observer> make_observer(const JobRank& job) {
  const auto file = setting(kTrace);
  if (file && Statistics::are_wanted()) {
    return std::make_unique<Both>(job, *file);
  }
  if (file) {
    return std::make_unique<Recorder>(job, *file);
  }
  return Statistics::are_wanted() ? std::make_unique<Statistics>(job) : nullptr;
}

}  // namespace postage::preload
