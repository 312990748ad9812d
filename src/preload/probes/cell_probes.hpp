#pragma once

#include "preload/probes/candidate.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace postage::preload {

/// The probes of one collective and one class of sizes on a communicator: its calls are carried out by each candidate
/// in turn, and timed. All ranks see the same calls, and after each round tell one another their times, so that all
/// judge alike. A call takes from when its last rank enters it to when its last rank leaves it, so that it does not
/// count how late a rank was.
class CellProbes {
 public:
  using Nanoseconds = std::int64_t;
  /// In each round a candidate carries out some calls, one behind the other, of which only the last ones count.
  static constexpr int kCounted = 2;
  /// The first round, in which memory may be used for the first time, only tells what is too slow for the others.
  static constexpr int kRounds = 3;
  /// A candidate whose least time so far is more than so many times another one's is in no later round.
  static constexpr double kDropped = 2;
  /// The library's own stays unless a candidate takes, in the median, at most so much of its least time.
  static constexpr double kWorthIt = 0.97;
  /// After so many calls in turn of other sizes of the class than the probes', these begin anew with such a size.
  static constexpr int kMostStrays = 16;

  /// `candidates`: the library first. `uncounted`: a candidate's first calls in each round, which find memory and
  /// caches as another one left them, and a root that need not wait for the others yet.
  CellProbes(std::vector<Candidate> candidates, int uncounted);

  /// What carries out the next call; nothing where its size differs by more than an eighth from those of the calls that
  /// are timed.
  [[nodiscard]] std::optional<Candidate> begin(Bytes bytes);
  /// Whether that call's time counts.
  [[nodiscard]] bool is_counted() const { return calls_ % run() >= uncounted_; }
  /// When this rank entered and left that call.
  void note(Nanoseconds entered, Nanoseconds left);
  [[nodiscard]] bool is_round_over() const { return calls_ == run() * static_cast<int>(candidates_.size()); }
  /// This rank's times of the round, to be replaced by the greatest of all ranks before judge() is called.
  [[nodiscard]] std::span<Nanoseconds> round() { return round_; }
  /// Ends a round. The choice, if it is made.
  [[nodiscard]] std::optional<Candidate> judge();

 private:
  [[nodiscard]] int run() const { return uncounted_ + kCounted; }
  void restart(Bytes bytes);
  void keep_times();
  void drop_slow_ones();
  void forget_times();
  [[nodiscard]] Candidate best() const;

  struct Probed {
    Candidate candidate = Candidate::kUnknown;
    std::vector<Nanoseconds> times{};
  };
  std::vector<Candidate> all_;
  int uncounted_;
  std::vector<Probed> candidates_;
  Bytes bytes_ = -1;
  int strays_ = 0;
  int rounds_ = 0;
  int calls_ = 0;
  std::vector<Nanoseconds> round_;  ///< of each call that counts: when it was entered, and left
};

}  // namespace postage::preload
