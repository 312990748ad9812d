#include "measure/pair_task.hpp"

namespace postage {

BatchTimes PairTask::lead(Batch batch) {
  BatchTimes times;
  static_cast<void>(sample(batch.inner));
  for (std::int32_t i = 0; i < batch.samples; ++i) {
    times.values.push_back(sample(batch.inner));
  }
  return times;
}

void PairTask::follow(Batch batch) {
  for (std::int64_t i = 0; i < std::int64_t{batch.samples + 1} * batch.inner; ++i) {
    serve();
  }
}

}  // namespace postage
