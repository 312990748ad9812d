#pragma once

#include "tuning/decide/points.hpp"

#include <postage/base/pace.hpp>
#include <postage/tuning/decision_table.hpp>

#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Times of a choice and of the library's default, in the same order: those of one index were taken one after the
/// other, or in simulated runs that start alike.
struct PairedTimes {
  std::vector<double> tuned;
  std::vector<double> standard;
};

/// 1 - tuned/default over the pairs: median, a bootstrap interval of it over the pairs at 95 %, and the sign test's
/// probability of as many pairs in favour if either were as likely. The same pairs give the same interval.
[[nodiscard]] Gain gain_of(const PairedTimes& pairs);

/// What was measured for one job, kept in a file, so that an interrupted run can go on.
class MeasuredTimes {
 public:
  /// Reads `path` if there is one, written for the same `job`; an empty path keeps nothing. Throws Error naming a file
  /// that is of another job.
  MeasuredTimes(std::filesystem::path path, std::string job);

  /// Times of the file are not known until they are asked for, so that a run that goes on decides as one that was not
  /// interrupted.
  void recall(const TuningPoint& point, const std::string& choice);
  [[nodiscard]] bool has(const TuningPoint& point, const std::string& choice) const;
  /// An empty choice is the default. Times of a choice that were paired with times of the default have those here.
  void set(const TuningPoint& point, const std::string& choice, std::vector<double> times,
           std::vector<double> standard = {});
  /// Says that times of the default are those of this choice forced, as it is what the default does.
  void set_forced_default(const TuningPoint& point, const std::string& choice);
  [[nodiscard]] bool is_default_forced(const TuningPoint& point) const;
  /// Empty where one of both was not measured.
  [[nodiscard]] PairedTimes pairs(const TuningPoint& point, const std::string& choice) const;
  /// gain_of the pairs, computed once.
  [[nodiscard]] const Gain& gain(const TuningPoint& point, const std::string& choice) const;
  /// Those of a collective among so many ranks that anything was measured at, smallest first.
  [[nodiscard]] std::vector<TuningPoint> points_of(Collective collective, Rank ranks) const;
  /// Writes the file.
  void keep();
  /// Writes it unless that was done so lately that writing would take more than a small share of the time: O(all
  /// times).
  void keep_now_and_then();

 private:
  struct Entry {
    std::vector<double> times;
    std::vector<double> standard;
    std::string forced{};  ///< of the default
  };
  std::filesystem::path path_;
  std::string job_;
  using Entries = std::map<TuningPoint, std::map<std::string, Entry>>;
  Entries entries_;
  Entries kept_;                                             ///< of the file, not asked for yet
  Pace keeping_{-std::numeric_limits<Seconds>::infinity()};  ///< never done yet
  mutable std::map<std::pair<TuningPoint, std::string>, Gain> gains_;
};

/// Those of a job that are kept in the request's folder, if it has one, in a file whose name begins with `kind`.
[[nodiscard]] MeasuredTimes kept_times(const TuneRequest& request, const TuningJob& job, std::string_view kind);

}  // namespace postage
