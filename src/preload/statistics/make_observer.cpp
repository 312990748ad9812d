#include "preload/settings/agreement.hpp"
#include "preload/statistics/recorder.hpp"
#include "preload/statistics/statistics.hpp"

namespace postage::preload {
namespace {

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
  return settings().want_observer();
}

std::unique_ptr<Observer> make_observer(const JobRank& job) {
  const auto& file = settings().trace_file;
  if (file && settings().want_statistics()) {
    return std::make_unique<Both>(job, *file);
  }
  if (file) {
    return std::make_unique<Recorder>(job, *file);
  }
  return settings().want_statistics() ? std::make_unique<Statistics>(job) : nullptr;
}

}  // namespace postage::preload
