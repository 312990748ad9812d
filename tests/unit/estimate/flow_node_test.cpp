// Two ranks inside a real node whose every time is known: processors move the bytes, small messages through memory that
// both see, large ones by the receiver alone.
#include "unit/estimate/synthetic.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/estimate/estimate.hpp>
#include <postage/model/flow.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace postage {
namespace {

using Kind = ExperimentKind;

constexpr Bytes kLimit = 4096;  // the largest eager message
const std::vector<Bytes> kOverheadSizes{1, 64, 512, 1024, 2048, 4096, 8192, 16384, 65536, 262144};
const std::vector<Bytes> kTrainSizes{1, 1024, 16384, 65536};
const std::vector<Bytes> kExchangeSizes{1, 8, 64, 512, 2048, 4096, 65536};

/// What it takes at m bytes.
struct KnownNode {
  std::function<Seconds(Bytes)> send = [](Bytes m) { return 0.1e-6 + 0.05e-9 * static_cast<double>(m); };
  std::function<Seconds(Bytes)> receive = [](Bytes m) { return 0.15e-6 + 0.04e-9 * static_cast<double>(m); };
  std::function<Seconds(Bytes)> large = [](Bytes m) { return 2e-6 + 0.1e-9 * static_cast<double>(m); };
  std::function<Seconds(Bytes)> written = [](Bytes) { return 0; };
  std::function<Seconds(Bytes)> exchange = [](Bytes) { return 0; };
  Seconds latency = 0.2e-6;  ///< of an eager message
  Seconds start = 0;
  Seconds first_exchange = 0;
  Seconds answer = 0;
  bool take_turns = false;  ///< large messages to one rank hold all of their time, else their bytes' alone

  [[nodiscard]] static bool is_eager(Bytes m) { return m <= kLimit; }
  [[nodiscard]] Seconds one_way(Bytes m) const { return is_eager(m) ? send(m) + latency + receive(m) : large(m); }
  [[nodiscard]] Seconds each_in_train(Bytes m) const {
    return is_eager(m) ? std::max(send(m), receive(m)) : take_turns ? large(m) : large(m) - large(0);
  }

  [[nodiscard]] Seconds time_of(const Experiment& e) const {
    if (e.kind == Kind::kSendOverhead) {
      return is_eager(e.bytes) ? send(e.bytes) : large(e.bytes);
    }
    if (e.kind == Kind::kDelayedReceive) {
      return is_eager(e.bytes) ? receive(e.bytes) : large(e.bytes);
    }
    if (e.kind == Kind::kTrain) {
      return one_way(e.bytes) + one_way(0) + (e.messages - 1) * each_in_train(e.bytes);
    }
    if (e.kind == Kind::kEcho) {
      return 2 * (one_way(e.bytes) + written(e.bytes));
    }
    if (e.kind == Kind::kButterfly) {
      return one_way(e.bytes) + exchange(e.bytes);
    }
    if (e.kind == Kind::kIncast || e.kind == Kind::kOutcast) {
      return one_way(e.bytes) + start;
    }
    if (e.kind == Kind::kSynchronisedExchange) {
      return one_way(e.bytes) + exchange(e.bytes) + start + first_exchange;
    }
    if (e.kind == Kind::kAnswer) {
      return 2 * one_way(e.bytes) + start + answer;
    }
    if (e.kind == Kind::kCopy) {
      return 0.03e-9 * static_cast<double>(e.bytes);
    }
    return one_way(e.bytes) + one_way(e.reply_bytes);
  }
};

std::vector<Experiment> experiments() {
  std::vector<Experiment> list{{.kind = Kind::kRoundtrip, .target = 1}};
  for (const Bytes bytes : powers_of_two()) {
    list.push_back({.kind = Kind::kRoundtrip, .target = 1, .bytes = bytes, .reply_bytes = bytes});
  }
  for (const Bytes bytes : kOverheadSizes) {
    list.push_back({.kind = Kind::kSendOverhead, .target = 1, .bytes = bytes});
    list.push_back({.kind = Kind::kDelayedReceive, .target = 1, .bytes = bytes, .delay = 1e-3});
    list.push_back({.kind = Kind::kEcho, .target = 1, .bytes = bytes});
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
  for (const Bytes bytes : {Bytes{1024}, Bytes{1} << 20}) {
    list.push_back({.kind = Kind::kCopy, .bytes = bytes});
  }
  return list;
}

SampleSet samples_of(const KnownNode& node) {
  SampleSet samples =
      measure({.model = "hockney", .parameters = "alpha=1us,beta=1ns", .nodes = 1, .ranks_per_node = 2}, {});
  samples.measurements.clear();
  for (const Experiment& experiment : experiments()) {
    samples.measurements.push_back(repeated(experiment, node.time_of(experiment), {}, samples.measurements.size()));
  }
  return samples;
}

/// Of the messages' channel, in order of size.
std::vector<ParameterGroup> links_of(const SampleSet& samples) {
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

Flow model_of(const SampleSet& samples) {
  const Platform platform = estimate_platform(samples, "node");
  for (const ParameterTable& table : platform.models) {
    if (table.model == "flow") {
      return *build_model(table, platform.channels).target<Flow>();
    }
  }
  ADD_FAILURE() << "no flows";
  return {};
}

bool take_turns(const SampleSet& samples) {
  const std::vector<ParameterGroup> groups = links_of(samples);
  const auto count = std::count_if(groups.begin(), groups.end(),
                                   [](const ParameterGroup& group) { return group.values.count("R") > 0; });
  EXPECT_TRUE(count == 0 || count == static_cast<std::ptrdiff_t>(groups.size()));
  return count > 0;
}

TEST(FlowInANode, KnowsThatAReceiverTakesInOneAtATime) {
  EXPECT_FALSE(take_turns(samples_of({})));
  EXPECT_TRUE(take_turns(samples_of({.take_turns = true})));
}

TEST(FlowInANode, TakesNoSimulatedMessagesForWorkOfProcessors) {
  SampleSet samples = samples_of({.take_turns = true});
  samples.is_virtual = true;
  EXPECT_FALSE(take_turns(samples));
}

TEST(FlowInANode, FindsTheProtocols) {
  const std::vector<ParameterGroup> groups = links_of(samples_of({}));
  for (const ParameterGroup& group : groups) {
    EXPECT_EQ(group.values.at("S").value, kLimit);
  }
}

/// A sender that copies slowly is kept for most of an eager message's time, but a late receiver is not.
TEST(FlowInANode, TakesNoSlowSenderForARendezvous) {
  KnownNode node;
  node.send = [](Bytes m) { return 0.1e-6 + 1e-9 * static_cast<double>(m); };
  EXPECT_GT(node.send(kLimit), 0.85 * node.one_way(kLimit));
  for (const ParameterGroup& group : links_of(samples_of(node))) {
    EXPECT_EQ(group.values.at("S").value, kLimit);
  }
}

/// Caches bend it twice; lines would miss it.
TEST(FlowInANode, FollowsACurveFromPointToPoint) {
  KnownNode node;
  node.large = [](Bytes m) {
    const double kilobytes = static_cast<double>(m) / 1024;
    const double bent = kilobytes < 32    ? 0.2 * kilobytes
                        : kilobytes < 256 ? 6.4 + 0.02 * (kilobytes - 32)
                                          : 10.88 + 0.04 * (kilobytes - 256);
    return (2 + bent) * 1e-6;
  };
  const Flow model = model_of(samples_of(node));
  for (const Bytes bytes : {8192, 16384, 32768, 65536, 98304, 131072, 524288, 1048576}) {
    const FlowLink& link = model.links.at({.source = 0, .target = 1, .bytes = bytes});
    EXPECT_NEAR((link.latency + link.seconds_per_byte * static_cast<double>(bytes)) / node.one_way(bytes), 1, 0.01)
        << bytes;
    EXPECT_GE(link.latency, 0);
  }
}

/// What sizes just below, at and above a power of two take, one of them disturbed. From point to point as they are, one
/// would have all of its time as latency, and several at once would then take no longer than one.
TEST(FlowInANode, TakesSizesBesideAPowerOfTwoForOne) {
  KnownNode node;
  node.large = [](Bytes m) {
    const double kilobytes = static_cast<double>(m) / 1024;
    const double bent = kilobytes < 100 ? 0.1 * kilobytes : 10 + 0.02 * (kilobytes - 100);
    return (1 + bent) * 1e-6 * (m == 65536 || m == 131072 ? 1.03 : 1);
  };
  SampleSet samples = samples_of(node);
  for (const Bytes power : {Bytes{16384}, Bytes{65536}, Bytes{131072}}) {
    for (const Bytes bytes : {power - 64, power + 64}) {
      const Experiment roundtrip{.kind = Kind::kRoundtrip, .target = 1, .bytes = bytes, .reply_bytes = bytes};
      samples.measurements.push_back(repeated(roundtrip, 2 * node.one_way(bytes), {}, samples.measurements.size()));
    }
  }
  const Flow model = model_of(samples);
  for (const Bytes bytes : {16384, 65472, 65536, 65600, 131008, 131072, 131136}) {
    const FlowLink& link = model.links.at({.source = 0, .target = 1, .bytes = bytes});
    const Seconds of_bytes = link.seconds_per_byte * static_cast<double>(bytes);
    EXPECT_NEAR((link.latency + of_bytes) / node.one_way(bytes), 1, 0.04) << bytes;
    EXPECT_GT(of_bytes, 0.15 * node.one_way(bytes)) << bytes;
  }
}

/// They take turns on the receiver's processor, whether a train shows their latencies or not.
TEST(FlowInANode, LargeMessagesOfAPairShareItsRate) {
  for (const ParameterGroup& group : links_of(samples_of({}))) {
    if (group.from_bytes > kLimit) {
      EXPECT_NEAR(group.values.at("B_pair").value * group.values.at("G").value, 1, 1e-9) << group.from_bytes;
    }
  }
}

TEST(FlowInANode, KnowsWhatExchangesTakeLonger) {
  KnownNode node;
  node.exchange = [](Bytes m) { return m <= 64 ? 0.07e-6 : m <= kLimit ? 0.05e-9 * static_cast<double>(m) : 0; };
  const Flow model = model_of(samples_of(node));
  EXPECT_NEAR(model.host.exchange.at(0) / 0.07e-6, 1, 0.01);
  EXPECT_NEAR(model.host.exchange.at(8) / 0.07e-6, 1, 0.01);
  EXPECT_NEAR(model.host.exchange.at(2048) / node.exchange(2048), 1, 0.01);
  EXPECT_NEAR(model.host.exchange.at(3000) / node.exchange(3000), 1, 0.01);
  EXPECT_NEAR(model_of(samples_of({})).host.exchange.at(8), 0, 1e-9);
}

TEST(FlowInANode, KnowsWhatBeginningTogetherTakes) {
  EXPECT_NEAR(model_of(samples_of({.start = 0.3e-6})).host.start / 0.3e-6, 1, 0.01);
  EXPECT_EQ(model_of(samples_of({})).host.start, 0);
}

TEST(FlowInANode, KnowsWhatFollowingAProgramTakes) {
  SampleSet samples = samples_of({});
  EXPECT_EQ(model_of(samples).host.executor, 0);
  samples.measurements.push_back(
      repeated({.kind = Kind::kProgram, .bytes = 8}, 20e-9, {}, samples.measurements.size()));
  EXPECT_NEAR(model_of(samples).host.executor / 20e-9, 1, 0.01);
}

TEST(FlowInANode, KnowsWhatTheFirstExchangeTakes) {
  const auto with = [](Seconds start, Seconds first) {
    return model_of(samples_of({.exchange = [](Bytes) { return 0.05e-6; }, .start = start, .first_exchange = first}));
  };
  EXPECT_NEAR(with(0.3e-6, 0.1e-6).host.simultaneous_start / 0.1e-6, 1, 0.01);
  EXPECT_NEAR(with(0.3e-6, 0).host.simultaneous_start, 0, 1e-12);
  EXPECT_EQ(with(0, 0.1e-6).host.simultaneous_start, 0) << "nothing is known of beginnings";
}

TEST(FlowInANode, KnowsWhatTheFirstAnswerTakes) {
  const auto with = [](Seconds start, Seconds answer) {
    return model_of(samples_of({.start = start, .answer = answer})).host.first_response;
  };
  EXPECT_NEAR(with(0.3e-6, 0.1e-6) / 0.1e-6, 1, 0.01);
  EXPECT_NEAR(with(0.3e-6, 0), 0, 1e-9);
  EXPECT_EQ(with(0, 0.1e-6), 0) << "nothing is known of beginnings";
}

TEST(FlowInANode, KnowsWhatCopyingTakes) {
  const Flow model = model_of(samples_of({}));
  EXPECT_NEAR(model.host.copy.at(50'000) / (50'000 * 0.03e-9), 1, 0.01);
}

/// What is written costs large messages alone here: it says nothing of small ones, which go another way.
TEST(FlowInANode, KeepsWhatWritingCostsToItsProtocol) {
  KnownNode node;
  node.written = [](Bytes m) { return m <= kLimit ? 0 : 0.2e-9 * static_cast<double>(m); };
  const Flow model = model_of(samples_of(node));
  const auto written = [&](Bytes bytes) {
    return model.links.at({.source = 0, .target = 1, .bytes = bytes}).host.rewritten.at(static_cast<double>(bytes));
  };
  EXPECT_EQ(written(kLimit), 0);
  EXPECT_NEAR(written(5000) / node.written(5000), 1, 0.01);
  EXPECT_NEAR(written(100'000) / node.written(100'000), 1, 0.01);
}

}  // namespace
}  // namespace postage
