#pragma once

#include <postage/base/units.hpp>
#include <postage/measure/campaign.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace postage {

/// Shares a campaign's budget among its sets of experiments: the time that is left equally among the experiments that
/// are.
class TimeShares {
 public:
  /// `weights`: experiments of each set. The budget begins at `begin`.
  TimeShares(std::vector<double> weights, const MeasureSettings& settings, Seconds begin)
      : weights_(std::move(weights)), needed_(weights_.size(), 1), settings_(settings), begin_(begin) {}

  [[nodiscard]] std::size_t sets() const { return weights_.size(); }
  /// 1 for each set that the next pass makes.
  [[nodiscard]] std::vector<std::int32_t>& needed() { return needed_; }

  [[nodiscard]] Seconds end() const { return begin_ + settings_.budget + further_; }
  /// For a pass that is made again: the budget lasts until then, if it does not anyway.
  void last_until(Seconds end) { further_ = std::max(further_, end - begin_ - settings_.budget); }
  [[nodiscard]] Seconds left(Seconds now) const;
  /// For a set in this pass.
  [[nodiscard]] Seconds of_slot(int pass, std::size_t set, Seconds now) const;
  /// The same, were this pass the last one.
  [[nodiscard]] Seconds of_pass(std::size_t set, Seconds now) const;
  /// After a set.
  [[nodiscard]] CampaignProgress progress(int pass, std::size_t set, Seconds now) const;

 private:
  /// Experiments that a pass still makes.
  [[nodiscard]] double weight_from(std::size_t set) const;

  std::vector<double> weights_;
  std::vector<std::int32_t> needed_;
  const MeasureSettings& settings_;
  Seconds begin_;
  Seconds further_ = 0;  ///< beyond the budget
};

}  // namespace postage
