#pragma once

#include "predict/node_ranks.hpp"

#include <postage/schedule/schedule.hpp>

#include <functional>
#include <vector>

namespace postage {

/// Gets of which one rank is the source and that are under way together, though they belong to several rounds: after
/// the first the rank neither receives nor waits for an acknowledgement before it starts the next. Ali et al., section
/// 5.2: their requests are served in turn, so that the first ends no sooner than the last ("priority inversion"). With
/// q of equation 1 counted so, a binomial tree without acknowledged rounds has one gap for each child of a node beyond
/// the first, level by level.
class Bursts {
 public:
  /// Of the round at `position`; both must outlive the object.
  Bursts(const Schedule& schedule, const RoundPosition& position);

  /// The rank has started a get in an earlier round of which its gets of this round have become part. O(rounds).
  [[nodiscard]] bool continue_for(Rank source) const;

  /// Visits the transfers of later rounds that join those that the rank starts in this one. O(rounds).
  void for_each_later(Rank source, const std::function<void(const Transfer&)>& visit) const;

 private:
  struct Part {
    bool receives = false;
    bool sends = false;
    bool waits = false;
  };
  [[nodiscard]] Part part_of(Rank rank, std::size_t round) const;
  void visit_sends(Rank rank, std::size_t round, const std::function<void(const Transfer&)>& visit) const;

  const Schedule& schedule_;
  const RoundPosition& position_;
  const std::vector<Round>& rounds_;
};

/// Those to visit in the round at `position` and in the one before it: who received in that one starts gets that its
/// later ones join.
[[nodiscard]] std::vector<Rank> ranks_to_visit_for_bursts(const Schedule& schedule, const RoundPosition& position,
                                                          const NodeRanks& nodes);

}  // namespace postage
