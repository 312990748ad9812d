#include "measure/pair_task.hpp"

namespace postage {

BatchTimes PairTask::lead(Batch batch) {
  BatchTimes times;
  if (transport_.is_virtual()) {
    wait_for_others();
  } else {
    static_cast<void>(sample(batch.inner));
  }
  for (std::int32_t i = 0; i < batch.samples; ++i) {
    times.values.push_back(sample(batch.inner));
  }
  return times;
}

void PairTask::follow(Batch batch) {
  if (transport_.is_virtual()) {
    transport_.send({}, participants(e_).front(), kReadyTag);
  }
  const std::int32_t repetitions = batch.samples + uncounted_samples(transport_);
  for (std::int64_t i = 0; i < std::int64_t{repetitions} * batch.inner; ++i) {
    serve();
  }
}

/// All that the first repetition, which is not counted, does for the next ones in a simulation: it takes the time of
/// one empty message instead of many seconds of a simulated cluster.
void PairTask::wait_for_others() {
  const RankGroup members = participants(e_);
  for (std::size_t i = 1; i < members.size(); ++i) {
    transport_.receive({}, members[i], kReadyTag);
  }
}

}  // namespace postage
