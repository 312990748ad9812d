#pragma once

#include "tuning/decide/points.hpp"

#include <postage/launch/launch.hpp>
#include <postage/tuning/proof.hpp>

#include <map>
#include <optional>
#include <vector>

namespace postage {

/// The algorithm, without a segment or fan-out, that ran; nothing where none did, another one took the call over, or
/// none of the library's that is known is it.
[[nodiscard]] std::optional<DecisionChoice> choice_seen(TuningTarget target, const LibraryVersion& version,
                                                        Collective collective, const std::vector<SeenAlgorithm>& seen);

/// What MPICH does by default, as a tracer sees it. An algorithm that a variable forces is found 30 to 170 ns sooner
/// than one that is looked for, by default or by a tuning file: times of two algorithms compare if both are forced.
class DefaultChoices {
 public:
  /// Asks the launcher, once, for its release.
  DefaultChoices(const TuneRequest& request, LaunchTarget job);

  /// Traces calls at those points that were not traced yet, in one job. Throws Error, Interrupted.
  void look_at(const std::vector<TuningPoint>& points);

  /// Nothing for other libraries, where the release is another one than the tracer's, or where it is none of the
  /// library's algorithms that are known.
  [[nodiscard]] std::optional<DecisionChoice> at(const TuningPoint& point) const;

 private:
  const TuneRequest& request_;
  LaunchTarget job_;
  bool can_trace_;
  std::map<TuningPoint, std::optional<DecisionChoice>> known_;
  bool has_told_ = false;  ///< that tracing failed
};

}  // namespace postage
