#pragma once

#include "preload/statistics/profile.hpp"
#include "preload/statistics/timed_calls.hpp"

namespace postage::preload {

/// POSTAGE_STATS=1 prints the profile on standard error, in MPI_Finalize; POSTAGE_STATS_JSON=FILE writes it there.
class Statistics final : public Observer {
 public:
  explicit Statistics(const JobRank& job);

  void observe(const CallEvent& event) override {
    profile_.count(event);
    timed_.note(event);
  }
  void finish(const GatherText& gather) override;

 private:
  JobRank job_;
  Seconds began_;
  Profile profile_;
  TimedCalls timed_;
};

}  // namespace postage::preload
