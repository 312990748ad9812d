#pragma once

#include "unit/estimate/synthetic.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/estimate/estimate.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <vector>

/// Two ranks inside a real node whose every time is known: processors move the bytes, small messages through memory
/// that both see, large ones by the receiver alone.
namespace postage::known_node {

using Kind = ExperimentKind;

inline constexpr Bytes kLimit = 4096;  // the largest eager message
inline const std::vector<Bytes> kOverheadSizes{1, 64, 512, 1024, 2048, 4096, 8192, 16384, 65536, 262144};
inline const std::vector<Bytes> kTrainSizes{1, 1024, 16384, 65536};
inline const std::vector<Bytes> kExchangeSizes{1, 8, 64, 512, 2048, 4096, 65536};

/// What it takes at m bytes.
struct KnownNode {
  std::function<Seconds(Bytes)> send = [](Bytes m) { return 0.1e-6 + 0.05e-9 * static_cast<double>(m); };
  std::function<Seconds(Bytes)> receive = [](Bytes m) { return 0.15e-6 + 0.04e-9 * static_cast<double>(m); };
  std::function<Seconds(Bytes)> large = [](Bytes m) { return 2e-6 + 0.1e-9 * static_cast<double>(m); };
  std::function<Seconds(Bytes)> written = [](Bytes) { return 0; };
  std::function<Seconds(Bytes)> written_get = [](Bytes) { return 0; };
  std::function<Seconds(Bytes)> exchange = [](Bytes) { return 0; };
  std::function<Seconds(Bytes)> overwriting = [](Bytes) { return 0; };
  double cold = 1;           ///< overheads by themselves take so many times what they do in a message
  Seconds latency = 0.2e-6;  ///< of an eager message
  Seconds follows = 0;       ///< trains' eager messages follow one another by so much more than the longer overhead
  Seconds start = 0;
  Seconds first_exchange = 0;
  Seconds answer = 0;
  bool take_turns = false;   ///< large messages to one rank hold all of their time, else their bytes' alone
  double share_in_turn = 1;  ///< or of their latency this share
  bool drains = false;       ///< exchanges in segments take twice as long
  std::function<Seconds(Bytes)> unawaited = [](Bytes) { return 0; };
  Seconds acknowledged = 0;  ///< large messages keep their sender for so much longer than they are under way
  // Of fans of more than two ranks, what a further message adds at one that takes them in, and at one that sends them.
  std::function<Seconds(Bytes)> further = [](Bytes) { return 0; };
  std::function<Seconds(Bytes)> release = [](Bytes) { return 0; };
  Bytes longer_as_rendezvous = 0;  ///< messages of up to so many bytes take half as long again if sent as a rendezvous

  [[nodiscard]] static bool is_eager(Bytes m) { return m <= kLimit; }
  [[nodiscard]] Seconds one_way(Bytes m) const { return is_eager(m) ? send(m) + latency + receive(m) : large(m); }
  [[nodiscard]] Seconds each_in_train(Bytes m) const {
    return is_eager(m) ? std::max(send(m), receive(m)) + follows
                       : large(m) - (take_turns ? 1 - share_in_turn : 1) * large(0);
  }

  [[nodiscard]] Seconds time_of(const Experiment& e) const {
    if (e.kind == Kind::kSendOverhead) {
      return is_eager(e.bytes) ? cold * send(e.bytes) : large(e.bytes) + acknowledged;
    }
    if (e.kind == Kind::kDelayedReceive) {
      return is_eager(e.bytes) ? cold * receive(e.bytes) : large(e.bytes);
    }
    if (e.kind == Kind::kTrain) {
      return one_way(e.bytes) + one_way(0) + (e.messages - 1) * each_in_train(e.bytes);
    }
    if (e.kind == Kind::kEcho) {
      return 2 * (one_way(e.bytes) + written(e.bytes));
    }
    if (e.kind == Kind::kHandshake || e.kind == Kind::kHandshakeEcho) {
      const Seconds longer = e.kind == Kind::kHandshakeEcho ? written_get(e.bytes) : 0;
      return 2 * (one_way(e.bytes) * (e.bytes <= longer_as_rendezvous ? 1.5 : 1) + longer);
    }
    if (e.kind == Kind::kButterfly) {
      return one_way(e.bytes) + exchange(e.bytes) + (is_eager(e.bytes) ? 0 : acknowledged);
    }
    if (e.kind == Kind::kIncast || e.kind == Kind::kOutcast) {
      const auto others = static_cast<double>(e.members.size()) - 2;
      const Seconds all = others * (e.kind == Kind::kIncast ? further(e.bytes) : release(e.bytes) / 2);
      return one_way(e.bytes) + start + unawaited(e.bytes) + all;
    }
    if (e.kind == Kind::kSynchronisedExchange) {
      return one_way(e.bytes) + exchange(e.bytes) + start + first_exchange + unawaited(e.bytes) +
             (is_eager(e.bytes) ? 0 : acknowledged);
    }
    if (e.kind == Kind::kPipelinedExchange) {
      return one_way(e.bytes) * (drains ? 2 * e.messages - 1 : e.messages);
    }
    if (e.kind == Kind::kAnswer) {
      return 2 * one_way(e.bytes) + start + answer;
    }
    if (e.kind == Kind::kCopy || e.kind == Kind::kRewriting) {
      return 0.03e-9 * static_cast<double>(e.bytes) + (e.kind == Kind::kCopy ? 0 : overwriting(e.bytes));
    }
    return one_way(e.bytes) + one_way(e.reply_bytes);
  }
};

inline std::vector<Experiment> experiments() {
  std::vector<Experiment> list{{.kind = Kind::kRoundtrip, .target = 1}};
  for (const Bytes bytes : powers_of_two()) {
    list.push_back({.kind = Kind::kRoundtrip, .target = 1, .bytes = bytes, .reply_bytes = bytes});
  }
  for (const Bytes bytes : kOverheadSizes) {
    list.push_back({.kind = Kind::kSendOverhead, .target = 1, .bytes = bytes});
    list.push_back({.kind = Kind::kDelayedReceive, .target = 1, .bytes = bytes, .delay = 1e-3});
    list.push_back({.kind = Kind::kEcho, .target = 1, .bytes = bytes});
    list.push_back({.kind = Kind::kRewriting, .target = 1, .bytes = bytes});
  }
  for (const Bytes bytes : kTrainSizes) {
    list.push_back({.kind = Kind::kRoundtrip, .target = 1, .bytes = bytes});
    list.push_back({.kind = Kind::kTrain, .target = 1, .bytes = bytes, .messages = 32});
  }
  for (const Bytes bytes : kExchangeSizes) {
    for (const Kind kind :
         {Kind::kButterfly, Kind::kIncast, Kind::kOutcast, Kind::kSynchronisedExchange, Kind::kAnswer}) {
      list.push_back({.kind = kind, .bytes = bytes, .members = {0, 1}, .channel = kSharedCache});
    }
  }
  for (const Bytes bytes : {1024, 8192, 16384, 65536}) {
    list.push_back({.kind = Kind::kHandshake, .target = 1, .bytes = bytes});
    list.push_back({.kind = Kind::kHandshakeEcho, .target = 1, .bytes = bytes});
  }
  for (const int messages : {1, 8}) {
    list.push_back({.kind = Kind::kPipelinedExchange, .target = 1, .bytes = 16384, .messages = messages});
  }
  for (const Bytes bytes : {Bytes{1024}, Bytes{1} << 20}) {
    list.push_back({.kind = Kind::kCopy, .bytes = bytes});
  }
  return list;
}

inline SampleSet samples_of(const KnownNode& node) {
  SampleSet samples =
      measure({.model = "hockney", .parameters = "alpha=1us,beta=1ns", .nodes = 1, .ranks_per_node = 2}, {});
  samples.measurements.clear();
  for (const Experiment& experiment : experiments()) {
    samples.measurements.push_back(repeated(experiment, node.time_of(experiment), {}, samples.measurements.size()));
  }
  return samples;
}

/// The same of four ranks, of which fans are measured, too.
inline SampleSet samples_of_four(const KnownNode& node) {
  SampleSet samples = samples_of(node);
  samples.nodes.front().topology.cores.resize(4);
  samples.ranks = {{0, 0}, {0, 1}, {0, 2}, {0, 3}};
  for (const Bytes bytes : {1, 64, 2048, 8192, 65536, 262144}) {
    for (const Kind kind : {Kind::kIncast, Kind::kOutcast}) {
      const Experiment fan{.kind = kind, .bytes = bytes, .members = {0, 1, 2, 3}, .channel = kSharedCache};
      samples.measurements.push_back(repeated(fan, node.time_of(fan), {}, samples.measurements.size()));
    }
  }
  return samples;
}

/// Of the messages' channel, in order of size.
inline std::vector<ParameterGroup> links_of(const SampleSet& samples) {
  std::vector<ParameterGroup> groups;
  for (const ParameterTable& table : estimate_platform(samples, "node").models) {
    for (const ParameterGroup& group : table.groups) {
      if (table.model == "flow" && group.scope.channel == kSharedCache) {
        groups.push_back(group);
      }
    }
  }
  EXPECT_FALSE(groups.empty());
  return groups;
}

}  // namespace postage::known_node
