#pragma once

#include <postage/preload/observer.hpp>

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace postage::preload {

/// POSTAGE_TRACE=FILE: what a program computes and sends, call by call, in the format that
/// include/postage/predict/traces/recording.hpp describes. One rank's part stays in memory until MPI_Finalize.
class Recorder final : public Observer {
 public:
  Recorder(const JobRank& job, std::string file);

  void observe(const CallEvent& event) override;
  void finish(const GatherText& gather) override;

 private:
  void record(const CallEvent& event);
  void record_computing(const CallEvent& event);
  void record_message(const CallEvent& event);
  void record_requests(const CallEvent& event);
  void record_collective(const CallEvent& event);
  [[nodiscard]] std::size_t communicator_of(const CallEvent& event);

  struct Persistent {
    bool sends = false;
    std::int32_t peer = -1;
    std::int32_t tag = 0;
    Bytes bytes = 0;
  };

  JobRank job_;
  std::string file_;
  std::mutex mutex_;
  std::string text_;
  Seconds last_ended_;
  bool is_full_ = false;
  std::map<std::vector<int>, std::size_t> communicators_;
  std::unordered_map<std::uint64_t, Persistent> persistent_;
};

}  // namespace postage::preload
