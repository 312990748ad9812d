#include "measure/collective_experiment.hpp"
#include "measure/gathering.hpp"
#include "measure/pair_experiments.hpp"

#include <postage/measure/campaign.hpp>

#include <algorithm>

namespace postage {
namespace {

constexpr Rank kMostRanksForAllPairs = 64;
/// Messages of a train, as published for saturation: enough that the pipeline's fill and the reply are small beside it.
constexpr int kTrain = 32;
/// A short train, so that its messages fit what a sender may leave behind.
constexpr int kShortTrain = 4;

/// How long a message needs at most to be there for a delayed receive: ten of the pair's small roundtrips.
Seconds delay_for(const Measurement& small_roundtrip) {
  return 10 * small_roundtrip.summary.median;
}

class Campaign {
 public:
  Campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings)
      : transport_(transport), plan_(plan), settings_(settings), begin_(transport.now()) {
    const std::size_t per_pair =
        plan.roundtrip_sizes.size() + (plan.train_sizes.empty() ? 0 : 3) + 2 * plan.train_sizes.size();
    left_ = pairs_of(transport.size()).size() * per_pair + plan.collectives.size();
  }

  std::vector<Measurement> run() {
    for (const auto& [first, second] : pairs_of(transport_.size())) {
      if (transport_.rank() == first || transport_.rank() == second) {
        measure_pair(first, second);
      } else {
        left_ -= std::min(left_, plan_.roundtrip_sizes.size() + 2 * plan_.train_sizes.size() + 3);
      }
      // The others wait here, so that one pair at a time has the machine for itself.
      transport_.barrier();
    }
    for (const CollectiveRun& run : plan_.collectives) {
      Measurement measurement = run_collective_experiment(transport_, run, settings_, allowance());
      if (transport_.rank() == 0) {
        results_.push_back(std::move(measurement));
      }
    }
    return std::move(results_);
  }

 private:
  /// An equal share of what is left of the budget for each experiment that is left.
  Seconds allowance() {
    const Seconds remaining = std::max(settings_.budget - (transport_.now() - begin_), 0.0);
    const auto shares = static_cast<double>(std::max<std::size_t>(left_, 1));
    left_ -= std::min<std::size_t>(left_, 1);
    return remaining / shares;
  }

  Measurement measure(const Experiment& experiment) {
    Measurement measurement = run_pair_experiment(transport_, experiment, settings_, allowance());
    if (transport_.rank() == experiment.source) {
      results_.push_back(measurement);
    }
    return measurement;
  }

  void measure_pair(Rank first, Rank second) {
    const Experiment pair{.source = first, .target = second};
    for (const Bytes bytes : plan_.roundtrip_sizes) {
      measure(with(pair, "roundtrip", bytes, bytes));
    }
    if (plan_.train_sizes.empty()) {
      return;
    }
    const Measurement small = measure(with(pair, "roundtrip", 1, 0));
    Experiment overhead = with(pair, "send-overhead", 1, 0);
    overhead.messages = kShortTrain;
    measure(overhead);
    Experiment receive = with(pair, "delayed-receive", 1, 0);
    receive.delay = delay_for(small);
    measure(receive);
    for (const Bytes bytes : plan_.train_sizes) {
      for (const int messages : {1, kTrain}) {
        Experiment train = with(pair, "train", bytes, 0);
        train.messages = messages;
        measure(train);
      }
    }
  }

  static Experiment with(Experiment experiment, const char* kind, Bytes bytes, Bytes reply) {
    experiment.kind = kind;
    experiment.bytes = bytes;
    experiment.reply_bytes = reply;
    return experiment;
  }

  Transport& transport_;
  const CampaignPlan& plan_;
  const MeasureSettings& settings_;
  Seconds begin_;
  std::size_t left_ = 0;
  std::vector<Measurement> results_;
};

}  // namespace

std::vector<std::pair<Rank, Rank>> pairs_of(Rank ranks) {
  std::vector<std::pair<Rank, Rank>> pairs;
  for (Rank first = 0; first < ranks; ++first) {
    for (Rank second = first + 1; second < ranks; ++second) {
      if (ranks <= kMostRanksForAllPairs || first == 0 || second == first + 1) {
        pairs.emplace_back(first, second);
      }
    }
  }
  return pairs;
}

SampleSet run_campaign(Transport& transport, const CampaignPlan& plan, const MeasureSettings& settings) {
  const std::vector<Measurement> own = Campaign(transport, plan, settings).run();
  SampleSet samples{.implementation = transport.implementation(),
                    .is_virtual = transport.is_virtual(),
                    .created = transport.is_virtual() ? "" : utc_now(),
                    .settings = settings};
  gather_places(transport, samples);
  samples.measurements = gather_measurements(transport, own);
  return samples;
}

}  // namespace postage
