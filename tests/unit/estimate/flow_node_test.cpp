#include "unit/estimate/known_node.hpp"

#include <postage/model/flow.hpp>

#include <algorithm>

namespace postage {
namespace {

using known_node::kLimit;
using known_node::KnownNode;
using known_node::links_of;
using known_node::samples_of;

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

TEST(FlowInANode, FindsTheProtocols) {
  const std::vector<ParameterGroup> groups = links_of(samples_of({}));
  for (const ParameterGroup& group : groups) {
    EXPECT_EQ(group.values.at("S").value, kLimit);
  }
}

/// Sending was not measured at the limit, 4,096 bytes, but at 2,048 and at 8,192.
SampleSet without_overheads_at_limit() {
  SampleSet samples = samples_of({});
  std::erase_if(samples.measurements, [](const Measurement& m) {
    const bool is_overhead =
        m.experiment.kind == ExperimentKind::kSendOverhead || m.experiment.kind == ExperimentKind::kDelayedReceive;
    return is_overhead && m.experiment.bytes == kLimit;
  });
  return samples;
}

/// Roundtrips were, and step after it.
TEST(FlowInANode, FindsAThresholdBetweenSizesOfOverheads) {
  EXPECT_EQ(links_of(without_overheads_at_limit()).back().values.at("S").value, kLimit);
}

/// Half of the repetitions just below and above the limit may have been disturbed: no interval tells the step, but one
/// takes three times as long as the other.
TEST(FlowInANode, FindsAThresholdThatNoIntervalTells) {
  SampleSet samples = without_overheads_at_limit();
  const KnownNode node;
  const Experiment above{.kind = ExperimentKind::kRoundtrip, .target = 1, .bytes = 4160, .reply_bytes = 4160};
  samples.measurements.push_back(repeated(above, node.time_of(above), {}, samples.measurements.size()));
  for (Measurement& m : samples.measurements) {
    if (m.experiment.kind == ExperimentKind::kRoundtrip && m.experiment.bytes >= kLimit && m.experiment.bytes <= 8192) {
      m.summary.median_interval.upper *= 50;
    }
  }
  EXPECT_EQ(links_of(samples).back().values.at("S").value, kLimit);
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

/// Up to 32 KiB messages follow one line, from 64 KiB on another one, a tenth further up: between them they take what
/// lies between.
TEST(FlowInANode, GoesOnBeyondNoLinesSizes) {
  KnownNode node;
  node.large = [](Bytes m) {
    const auto bytes = static_cast<double>(m);
    return m <= 32768 ? 1e-6 + 0.1e-9 * bytes : 1.8e-6 + 0.1e-9 * bytes;
  };
  SampleSet samples = samples_of(node);
  for (std::size_t i = 0; i < samples.measurements.size(); ++i) {
    const Experiment experiment = samples.measurements[i].experiment;
    samples.measurements[i] = repeated(experiment, node.time_of(experiment), {.noise = 0.01, .repetitions = 60}, i);
  }
  const Flow model = model_of(samples);
  for (const Bytes bytes : {40000, 50000, 65535}) {
    const FlowLink& link = model.links.at({.source = 0, .target = 1, .bytes = bytes});
    const double way = static_cast<double>(bytes - 32768) / 32768;
    const Seconds between = node.one_way(32768) + way * (node.one_way(65536) - node.one_way(32768));
    EXPECT_NEAR((link.latency + link.seconds_per_byte * static_cast<double>(bytes)) / between, 1, 0.04) << bytes;
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
      const Experiment roundtrip{.kind = ExperimentKind::kRoundtrip, .target = 1, .bytes = bytes, .reply_bytes = bytes};
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

/// A threshold just below 16 KiB, and times just above it that differ by a tenth: those of 16 KiB are not of before it.
TEST(FlowInANode, HasALineBetweenTwoLeaps) {
  KnownNode node;
  node.large = [](Bytes m) {
    const double bytes = static_cast<double>(m);
    return m < 16384 ? 1e-6 + 0.05e-9 * bytes : (m < 16448 ? 6e-6 : 6.6e-6) + 0.05e-9 * (bytes - 16384);
  };
  SampleSet samples = samples_of(node);
  for (const Bytes bytes : {16320, 16448}) {
    const Experiment roundtrip{.kind = ExperimentKind::kRoundtrip, .target = 1, .bytes = bytes, .reply_bytes = bytes};
    samples.measurements.push_back(repeated(roundtrip, 2 * node.one_way(bytes), {}, samples.measurements.size()));
  }
  const Flow model = model_of(samples);
  for (const Bytes bytes : {16320, 16384, 16440, 16448}) {
    const FlowLink& link = model.links.at({.source = 0, .target = 1, .bytes = bytes});
    const Seconds alone = link.latency + link.seconds_per_byte * static_cast<double>(bytes);
    EXPECT_NEAR(alone / node.one_way(bytes), 1, 0.12) << bytes;
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

/// What the bytes of two messages share is no part of it, and where they share it does not go on as it grew before.
TEST(FlowInANode, KnowsWhatExchangesTakeLongerThanTheyShare) {
  KnownNode node;
  node.cold = 0.1;  // so that what grows with the bytes is not the processors'
  node.send = [](Bytes m) { return 0.1e-6 + 1e-9 * static_cast<double>(std::max(m, Bytes{1024}) - 1024); };
  node.receive = [](Bytes) { return 0.1e-6; };
  node.exchange = [](Bytes m) { return m <= 64 ? 0 : m <= 1024 ? 0.09e-6 : 0.6e-9 * static_cast<double>(m); };
  const Flow model = model_of(samples_of(node));
  EXPECT_NEAR(model.host.exchange.at(512) / 0.09e-6, 1, 0.01);
  EXPECT_LT(model.host.exchange.at(4000), 0.1e-6) << "2.4 us of bytes";
}

TEST(FlowInANode, KnowsWhatBeginningTogetherTakes) {
  EXPECT_NEAR(model_of(samples_of({.start = 0.3e-6})).host.start / 0.3e-6, 1, 0.01);
  EXPECT_EQ(model_of(samples_of({})).host.start, 0);
}

TEST(FlowInANode, KnowsWhatFollowingAProgramTakes) {
  SampleSet samples = samples_of({});
  EXPECT_EQ(model_of(samples).host.executor, 0);
  samples.measurements.push_back(
      repeated({.kind = ExperimentKind::kProgram, .bytes = 8}, 20e-9, {}, samples.measurements.size()));
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

/// Overheads by themselves are of memory that the other's cache has, so that both together take longer than a message,
/// and what exchanges share is no limit of one that has no time left for its bytes.
TEST(FlowInANode, LetsAMessageAloneTakeWhatItDid) {
  KnownNode node;
  node.cold = 1.4;
  node.latency = 0.05e-6;
  node.exchange = [](Bytes m) { return 0.05e-9 * static_cast<double>(m); };
  const Flow model = model_of(samples_of(node));
  for (const Bytes bytes : {64, 512, 1024, 2048, 4096}) {
    EXPECT_GT(node.cold * (node.send(bytes) + node.receive(bytes)), node.one_way(bytes));
    const FlowLink& link = model.links.at({.source = 0, .target = 1, .bytes = bytes});
    const auto m = static_cast<double>(bytes);
    const double per_byte = std::max(link.seconds_per_byte, link.limits.node);
    const Seconds alone = link.send_overhead.at(m) + link.latency + per_byte * m + link.receive_overhead.at(m);
    EXPECT_NEAR(alone / node.one_way(bytes), 1, 0.02) << bytes;
  }
}

/// What is more than twice as long is no processor's work.
TEST(FlowInANode, KeepsAReceiverAsLongAsATrainsMessagesFollowOneAnother) {
  for (const auto& [follows, longer] : {std::pair{0.0, 0.0}, {0.05e-6, 0.05e-6}, {0.5e-6, 0.0}}) {
    const KnownNode node{.follows = follows};
    const Flow model = model_of(samples_of(node));
    const FlowLink& link = model.links.at({.source = 0, .target = 1, .bytes = 1});
    EXPECT_NEAR(link.receive_overhead.at(1), node.receive(1) + longer, 2e-9) << follows;
    EXPECT_NEAR(link.send_overhead.at(1) + link.latency + link.receive_overhead.at(1), node.one_way(1), 4e-9);
  }
}

/// Of longer eager messages exchanges show what they share. Of shorter ones, whose time does not grow with their bytes,
/// none was measured: what the longer ones share is no limit of theirs.
TEST(FlowInANode, LimitsNoMessageWhoseBytesTakeNoTime) {
  KnownNode node;
  node.cold = 0.1;  // so that what grows with the bytes is not the processors'
  node.send = [](Bytes m) { return 0.1e-6 + 1e-9 * static_cast<double>(std::max(m, Bytes{1024}) - 1024); };
  node.receive = [](Bytes) { return 0.1e-6; };
  node.exchange = [](Bytes m) { return m > 1024 ? 1e-9 * static_cast<double>(m) : 0; };
  const Flow model = model_of(samples_of(node));
  const auto link_at = [&](Bytes bytes) { return model.links.at({.source = 0, .target = 1, .bytes = bytes}); };
  EXPECT_GT(link_at(2048).limits.node, 0);
  EXPECT_EQ(link_at(768).seconds_per_byte, 0);
  EXPECT_EQ(link_at(768).limits.node, 0);
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

/// The same of messages that leave at once by themselves, but as gets only when they are awaited.
TEST(FlowInANode, KnowsWhatGetsOfWrittenBytesTake) {
  KnownNode node;
  const auto link = [&] { return model_of(samples_of(node)).links.at({.source = 0, .target = 1, .bytes = 1024}); };
  EXPECT_TRUE(link().host.rewritten_get.points().empty());
  node.written_get = [](Bytes m) { return 0.5e-9 * static_cast<double>(m); };
  EXPECT_NEAR(link().host.rewritten_get.at(1024) / node.written_get(1024), 1, 0.01);
  EXPECT_EQ(link().host.rewritten.points().size(), 0U);
}

}  // namespace
}  // namespace postage
