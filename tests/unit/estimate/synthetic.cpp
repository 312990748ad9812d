#include "unit/estimate/synthetic.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace postage {
namespace {

using Kind = ExperimentKind;

constexpr int kPasses = 6;
constexpr int kRepetitionsInPass = 5;
constexpr Seconds kDelay = 1e-4;

class Campaign {
 public:
  Campaign(const SyntheticMachine& machine, const SyntheticPlan& plan)
      : machine_(machine), plan_(plan), truth_(machine.truth()), channels_(machine.channels()), random_(machine.seed) {
    samples_.implementation = "synthetic";
    NodeTopology topology;
    for (int core = 0; core < machine.ranks_per_node; ++core) {
      topology.cores.push_back({.pu = core});
    }
    for (int node = 0; node < machine.nodes; ++node) {
      samples_.nodes.push_back({fmt::format("n{}", node), topology});
      for (int core = 0; core < machine.ranks_per_node; ++core) {
        samples_.ranks.push_back({node, core});
      }
    }
  }

  SampleSet run() {
    for (std::size_t channel = 0; channel < channels_.size(); ++channel) {
      channel_ = static_cast<ChannelId>(channel);
      for (int i = 0; i < 3; ++i) {
        const bool inside = channels_[channel] != kInterNode;
        add_pair(inside ? 2 * i % machine_.ranks_per_node : i % machine_.ranks_per_node,
                 inside ? 2 * i % machine_.ranks_per_node + 1 : machine_.ranks_per_node + i % machine_.ranks_per_node);
      }
      add_groups();
    }
    return std::move(samples_);
  }

 private:
  [[nodiscard]] TransferCost cost_of(Bytes bytes, double concurrency = 1, Bytes stride = 0) const {
    return cost(truth_, {.channel = channel_,
                         .bytes = bytes,
                         .stride = stride,
                         .concurrency = concurrency,
                         .opposing = concurrency,
                         .sending_concurrency = concurrency,
                         .receiving_concurrency = concurrency});
  }
  [[nodiscard]] Seconds one_way(Bytes bytes, double concurrency = 1) const {
    return cost_of(bytes, concurrency).total();
  }

  void add_pair(int source, int target) {
    const auto pair = [&](Kind kind, Bytes bytes) {
      return Experiment{.kind = kind, .source = source, .target = target, .bytes = bytes};
    };
    for (const Bytes bytes : plan_.roundtrips) {
      Experiment e = pair(Kind::kRoundtrip, bytes);
      e.reply_bytes = bytes;
      add(e, 2 * one_way(bytes));
    }
    for (const Bytes bytes : plan_.overheads) {
      const TransferCost c = cost_of(bytes);
      const Seconds single = one_way(bytes) + one_way(0);
      add(pair(Kind::kRoundtrip, bytes), single);
      add(pair(Kind::kSendOverhead, bytes), c.sender_busy);
      add(pair(Kind::kDelayedReceive, bytes), c.receiver_busy);
      Experiment train = pair(Kind::kTrain, bytes);
      train.messages = 8;
      add(train, single + 7 * std::max({c.sender_busy, c.receiver_busy, c.gap}));
      train.delay = kDelay;
      add(train, single + 7 * (c.sender_busy + kDelay));
    }
    for (const Bytes bytes : plan_.strided) {
      for (const Bytes stride : {8, 64, 512}) {
        for (const bool by_hand : {false, true}) {
          Experiment e = pair(Kind::kStridedRoundtrip, bytes);
          e.run_bytes = 4;
          e.stride = stride;
          e.by_hand = by_hand;
          const Seconds latency = cost_of(bytes, 1, stride).total() - one_way(bytes);
          add(e, 2 * (one_way(bytes) + latency * (by_hand ? 1.5 : 1)));
        }
      }
    }
  }

  void add_groups() {
    const bool inside = channels_[channel_] != kInterNode;
    const int ranks = machine_.ranks_per_node * (inside ? 1 : 2);
    for (const Bytes bytes : plan_.concurrent) {
      for (int pairs = 2; 2 * pairs <= ranks; pairs *= 2) {
        add(group(Kind::kConcurrentPairs, bytes, 2 * pairs), 2 * one_way(bytes, pairs));
      }
      for (int members = 2; members <= ranks; members *= 2) {
        add(group(Kind::kRing, bytes, members), one_way(bytes, inside ? members : members / 2.0));
      }
    }
    for (const Bytes bytes : plan_.fans) {
      const int receivers = inside ? ranks - 1 : machine_.ranks_per_node;
      const Seconds more = (receivers - 1) * cost_of(bytes).gap;
      add(group(Kind::kOutcast, bytes, receivers + 1), one_way(bytes) + more * (machine_.serves_in_order ? 0.5 : 1));
      add(group(Kind::kIncast, bytes, receivers + 1), one_way(bytes) + more);
      for (int members = 2; members <= ranks; members *= 2) {
        add(group(Kind::kButterfly, bytes, members), one_way(bytes, members / 2.0));
      }
    }
  }

  [[nodiscard]] Experiment group(Kind kind, Bytes bytes, int members) const {
    Experiment e{.kind = kind, .bytes = bytes, .channel = channels_[channel_], .method = "global-clock"};
    for (int i = 0; i < members; ++i) {
      e.members.push_back(i);
    }
    return e;
  }

  void add(const Experiment& experiment, Seconds time) {
    std::vector<std::vector<double>> passes(kPasses);
    std::normal_distribution<double> normal;
    for (std::vector<double>& pass : passes) {
      for (int i = 0; i < kRepetitionsInPass; ++i) {
        pass.push_back(time * (1 + machine_.noise * normal(random_)));
      }
    }
    samples_.measurements.push_back(
        {.experiment = experiment, .summary = summarise(passes, samples_.settings.confidence), .precise = true});
  }

  const SyntheticMachine& machine_;
  const SyntheticPlan& plan_;
  Model truth_;
  std::vector<std::string> channels_;
  ChannelId channel_ = 0;
  std::mt19937_64 random_;
  SampleSet samples_;
};

}  // namespace

std::vector<std::string> SyntheticMachine::channels() const {
  std::vector<std::string> channels;
  if (ranks_per_node > 1) {
    channels.emplace_back(kSharedCache);
  }
  if (nodes > 1) {
    channels.emplace_back(kInterNode);
  }
  return channels;
}

Model SyntheticMachine::truth(Bound bound) const {
  return build_model(parse_parameters(model, parameters), channels(), bound);
}

std::vector<Bytes> powers_of_two() {
  std::vector<Bytes> sizes;
  for (Bytes bytes = 1; bytes <= Bytes{1} << 20; bytes *= 2) {
    sizes.push_back(bytes);
  }
  return sizes;
}

SampleSet measure(const SyntheticMachine& machine, const SyntheticPlan& plan) {
  return Campaign(machine, plan).run();
}

const ParameterGroup& group_for(const Platform& platform, const std::string& model, const std::string& channel) {
  for (const ParameterTable& table : platform.models) {
    if (table.model != model) {
      continue;
    }
    for (const ParameterGroup& group : table.groups) {
      if (group.scope.channel == channel) {
        return group;
      }
    }
  }
  throw Error("no parameters of " + model + " for " + channel);
}

}  // namespace postage
