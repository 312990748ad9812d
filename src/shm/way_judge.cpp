#include "shm/way_judge.hpp"

#include "shm/chunk_pool.hpp"
#include "shm/ways_by_size.hpp"

#include <algorithm>
#include <limits>

namespace postage::shm {

template <typename Way>
WayJudge<Way>::WayJudge(std::uint32_t seldom, std::array<std::uint32_t, 2> settling)
    : seldom_(std::clamp(seldom, 1U, kMostSeldom)),
      settling_{std::max(settling[0], 1U), std::max(settling[1], 1U)},
      patience_(std::min(kFirstTrial, seldom_)) {
  begin_usual(patience_);
}

template <typename Way>
std::optional<Way> WayJudge<Way>::next() const {
  return has_begun_ ? std::optional(current()) : std::nullopt;
}

template <typename Way>
bool WayJudge<Way>::observe(Way way, double cost) {
  if (!has_begun_) {
    has_begun_ = true;
    usual_ = way;
    begin_usual(patience_);
  }
  if (way != current()) {
    // Messages that were sent before their sender heard of a change come first.
    if (++astray_ < kAstray) {
      return false;
    }
    usual_ = way;
    run_ = 0;
    compared_ = 0;
    patience_ = seldom_;
    begin_usual(patience_);
    return true;
  }
  astray_ = 0;
  const bool counts = looks();
  if (counts) {
    double& least = is_trial_ ? tried_ : kept_;
    least = std::min(least, cost);
  }
  ++count_;
  if (!is_trial_ && has_become_dear(cost)) {
    patience_ = std::min(kFirstTrial, seldom_);
    begin_usual(std::min(kNextTrial, seldom_));
    return false;
  }
  const bool is_hopeless = is_trial_ && counts && cost > kHopeless * kept_;
  if (count_ < until_change_ && !is_hopeless) {
    return false;
  }
  if (is_trial_) {
    end_trial();
  } else {
    begin_trial();
  }
  return true;
}

template <typename Way>
void WayJudge<Way>::settle(Way way, std::uint32_t messages) {
  settling_[static_cast<std::size_t>(way)] = std::max(messages, 1U);
}

template <typename Way>
bool WayJudge<Way>::has_become_dear(double cost) {
  if (compared_ == 0 || count_ <= settling(usual_)) {
    return false;
  }
  dearer_ = cost > kMuchDearer * compared_ ? dearer_ + 1 : 0;
  if (dearer_ < kDearer) {
    return false;
  }
  compared_ = 0;
  dearer_ = 0;
  return true;
}

template <typename Way>
void WayJudge<Way>::begin_trial() {
  ++trials_;
  is_trial_ = true;
  count_ = 0;
  astray_ = 0;
  until_change_ = settling(other(usual_)) + kLooks;
  tried_ = std::numeric_limits<double>::infinity();
}

template <typename Way>
void WayJudge<Way>::end_trial() {
  run_ = tried_ * kMargin < kept_ ? run_ + 1 : 0;
  compared_ = run_ == kChangeAfter ? tried_ : kept_;
  dearer_ = 0;
  if (run_ == kChangeAfter) {
    ++changes_;
    usual_ = other(usual_);
    run_ = 0;
    patience_ = std::min(kFirstTrial, seldom_);
  } else if (run_ == 0) {
    patience_ = std::min(std::max(2 * patience_, patience_after_failure()), seldom_);
  }
  begin_usual(run_ > 0 ? std::min(kNextTrial, seldom_) : patience_);
}

template <typename Way>
std::uint32_t WayJudge<Way>::patience_after_failure() const {
  const std::uint32_t alone = settling(other(usual_));
  const double dearer = std::min(tried_ / kept_, kMostDear) - 1;
  return dearer > 0 ? static_cast<std::uint32_t>(dearer * (alone + kLooks) / (kRegret * alone)) : 0;
}

template <typename Way>
void WayJudge<Way>::begin_usual(std::uint32_t patience) {
  is_trial_ = false;
  count_ = 0;
  astray_ = 0;
  until_change_ = settling(usual_) + std::max(patience * settling(other(usual_)), kLooks);
  kept_ = std::numeric_limits<double>::infinity();
}

template class WayJudge<LongWay>;
template class WayJudge<PoolPart>;

}  // namespace postage::shm
