#include "measure/pair_experiments.hpp"

#include "measure/repetition.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr int kControlTag = 1;
constexpr int kDataTag = 2;
constexpr int kReplyTag = 3;

/// A clock reading costs some 20 ns; a sample that lasts at least this long hides it.
constexpr Seconds kShortestSample = 20e-6;
constexpr int kMostInner = 100;

/// What the source tells the target before each batch: so many samples of so many repetitions; none ends it.
struct Batch {
  std::int32_t samples = 0;
  std::int32_t inner = 1;
};

/// Source and target of one experiment, each doing its side of one repetition.
class PairExperiment {
 public:
  PairExperiment(Transport& transport, const Experiment& experiment)
      : transport_(transport),
        experiment_(experiment),
        message_(static_cast<std::size_t>(experiment.bytes), std::byte{1}),
        reply_(static_cast<std::size_t>(experiment.reply_bytes), std::byte{2}) {}

  /// Seconds of one sample of `inner` repetitions, over `inner`.
  Seconds sample(int inner) {
    if (experiment_.kind == "send-overhead") {
      return send_overhead();
    }
    if (experiment_.kind == "delayed-receive") {
      return delayed_receive();
    }
    const Seconds start = transport_.now();
    for (int i = 0; i < inner; ++i) {
      send_all();
      transport_.receive(reply_, experiment_.target, kReplyTag);
    }
    return (transport_.now() - start) / inner;
  }

  void serve(int inner) {
    if (experiment_.kind == "delayed-receive") {
      transport_.receive({}, experiment_.source, kControlTag);
      transport_.send(message_, experiment_.source, kDataTag);
      return;
    }
    for (int i = 0; i < (experiment_.kind == "send-overhead" ? 1 : inner); ++i) {
      for (int n = 0; n < experiment_.messages; ++n) {
        transport_.receive(message_, experiment_.source, kDataTag);
      }
      transport_.send(reply_, experiment_.source, kReplyTag);
    }
  }

  /// Overheads are timed one by one; a roundtrip or train is short enough to need several in a sample.
  [[nodiscard]] bool repeats_inside() const { return experiment_.kind == "roundtrip" || experiment_.kind == "train"; }

 private:
  void send_all() {
    if (experiment_.messages == 1) {
      transport_.send(message_, experiment_.target, kDataTag);
      return;
    }
    requests_.clear();
    for (int n = 0; n < experiment_.messages; ++n) {
      requests_.push_back(transport_.start_send(message_, experiment_.target, kDataTag));
      if (experiment_.delay > 0) {
        transport_.wait_until(transport_.now() + experiment_.delay);
      }
    }
    transport_.wait_all(requests_);
  }

  /// The time of a short train of sends over their number; their receives and the reply are not in it.
  Seconds send_overhead() {
    const Seconds start = transport_.now();
    for (int n = 0; n < experiment_.messages; ++n) {
      transport_.send(message_, experiment_.target, kDataTag);
    }
    const Seconds time = (transport_.now() - start) / experiment_.messages;
    transport_.receive(reply_, experiment_.target, kReplyTag);
    return time;
  }

  /// The time of a receive posted when the message has certainly arrived.
  Seconds delayed_receive() {
    transport_.send({}, experiment_.target, kControlTag);
    transport_.wait_until(transport_.now() + experiment_.delay);
    const Seconds start = transport_.now();
    transport_.receive(message_, experiment_.target, kDataTag);
    return transport_.now() - start;
  }

  Transport& transport_;
  const Experiment& experiment_;
  std::vector<std::byte> message_;
  std::vector<std::byte> reply_;
  std::vector<Transport::Request> requests_;
};

void tell(Transport& transport, std::int32_t target, Batch batch) {
  transport.send(std::as_bytes(std::span(&batch, 1)), target, kControlTag);
}

Batch hear(Transport& transport, std::int32_t source) {
  Batch batch;
  transport.receive(std::as_writable_bytes(std::span(&batch, 1)), source, kControlTag);
  return batch;
}

void follow(Transport& transport, const Experiment& experiment) {
  PairExperiment pair(transport, experiment);
  for (Batch batch = hear(transport, experiment.source); batch.samples > 0;
       batch = hear(transport, experiment.source)) {
    for (std::int32_t i = 0; i < batch.samples; ++i) {
      pair.serve(batch.inner);
    }
  }
}

Measurement lead(Transport& transport, const Experiment& experiment, const MeasureSettings& settings,
                 Seconds allowance) {
  PairExperiment pair(transport, experiment);
  const auto run = [&](Batch batch, const auto& use) {
    // The first sample of a batch finds the target still busy with the news of the batch: it does not count.
    tell(transport, experiment.target, {batch.samples + 1, batch.inner});
    static_cast<void>(pair.sample(batch.inner));
    for (std::int32_t i = 0; i < batch.samples; ++i) {
      use(pair.sample(batch.inner));
    }
  };
  std::vector<double> warm;
  run({std::max(settings.warm_up, 1), 1}, [&](Seconds value) { warm.push_back(value); });
  int inner = 1;
  if (pair.repeats_inside() && !transport.is_virtual()) {
    // The last warm-up repetitions know best how long one takes; a virtual clock costs nothing to read.
    inner = std::clamp(static_cast<int>(std::ceil(kShortestSample / std::max(median(warm), 1e-9))), 1, kMostInner);
  }
  Repetition repetition(settings, allowance / inner);
  for (std::int32_t samples = repetition.next_batch(); samples > 0; samples = repetition.next_batch()) {
    run({samples, inner}, [&](Seconds value) { repetition.add(value); });
  }
  tell(transport, experiment.target, {0, 1});
  return repetition.measurement(experiment);
}

}  // namespace

Measurement run_pair_experiment(Transport& transport, const Experiment& experiment, const MeasureSettings& settings,
                                Seconds allowance) {
  if (transport.rank() == experiment.target) {
    follow(transport, experiment);
    return {};
  }
  return lead(transport, experiment, settings, allowance);
}

}  // namespace postage
