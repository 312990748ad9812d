#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/prediction.hpp>
#include <postage/predict/what_if.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace postage {
namespace {

std::string refusal_of(std::string_view text) {
  try {
    static_cast<void>(parse_what_if(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(WhatIf, IsReadInItsOrder) {
  const WhatIf what_if =
      parse_what_if("inter-node.bandwidth=x2, inter-node.latency=/4,nodes=512,processor 3.speed=x1.5");
  ASSERT_EQ(what_if.changes.size(), 3U);
  EXPECT_EQ(what_if.changes[0], (ResourceChange{"inter-node.bandwidth", 2}));
  EXPECT_EQ(what_if.changes[1], (ResourceChange{"inter-node.latency", 0.25}));
  EXPECT_EQ(what_if.changes[2], (ResourceChange{"processor 3.speed", 1.5}));
  EXPECT_EQ(what_if.nodes, 512);
  EXPECT_FALSE(what_if.per_node);
}

TEST(WhatIf, RefusesWhatIsNoChange) {
  for (const char* factor : {"x0", "x-1", "/0", "2", "", "xnan", "xinf", "/1e-320", "x2y"}) {
    EXPECT_NE(refusal_of(std::string("a.latency=") + factor).find("above 0"), std::string::npos) << factor;
  }
  for (const char* number : {"0", "-1", "x2", "1.5", "99999999999"}) {
    EXPECT_NE(refusal_of(std::string("nodes=") + number).find("give a number"), std::string::npos) << number;
  }
  EXPECT_NE(refusal_of("a.latency=x2,a.latency=x3").find("twice"), std::string::npos);
  EXPECT_NE(refusal_of("nodes=1,nodes=1").find("twice"), std::string::npos);
  EXPECT_NE(refusal_of("a.latency").find("RESOURCE=xF"), std::string::npos);
  EXPECT_NE(refusal_of("").find("RESOURCE=xF"), std::string::npos);
}

ParameterTable changed(const char* model, const char* parameters, const ResourceChange& change) {
  const ParameterTable table = parse_parameters(model, parameters);
  const Platform platform = platform_of(table, 2, 2);
  return with_changes(table, platform, std::vector{change});
}

/// A message of m bytes under hand-made parameters.
Seconds message(const ParameterTable& table, Bytes bytes) {
  const Platform platform = platform_of(table, 2, 2);
  const PlatformModel model(table, platform.channels, ChannelMap(platform, Mapping::block(2, 2)));
  return predict_message(0, 2, bytes, model).seconds;
}

TEST(WhatIf, ChangesWhatTheModelCallsTheResource) {
  const char* loggp = "[shared-cache] L=1us,o=1us,g=1us,G=1ns [inter-node] L=5us,o=1us,g=2us,G=1ns";
  EXPECT_NEAR(message(changed("loggph", loggp, {"inter-node.latency", 0.5}), 1), 4.5e-6, 1e-15);
  EXPECT_NEAR(message(changed("loggph", loggp, {"inter-node.bandwidth", 2}), 1001), 7.5e-6, 1e-15);
  EXPECT_NEAR(message(changed("loggph", loggp, {"inter-node.overhead", 2}), 1), 9e-6, 1e-15);
  EXPECT_NEAR(message(changed("loggph", loggp, {"processors.speed", 2}), 1), 6e-6, 1e-15);
  EXPECT_NEAR(message(changed("loggph", loggp, {"shared-cache.latency", 100}), 1), 7e-6, 1e-15);
  const char* lmo = "C=10us,t=1ns,beta=1GB/s,L=3us [processor 0] C=20us,t=1ns [processor 2] C=30us,t=2ns";
  const auto lmo_message = [&](const ResourceChange& change) { return message(changed("lmo", lmo, change), 1000); };
  EXPECT_NEAR(lmo_message({"processors.speed", 1}), 57e-6, 1e-15);
  EXPECT_NEAR(lmo_message({"processors.speed", 2}), 30.5e-6, 1e-15);
  EXPECT_NEAR(lmo_message({"processor 2.speed", 2}), 41e-6, 1e-15);
  EXPECT_NEAR(lmo_message({"all.bandwidth", 2}), 56.5e-6, 1e-15);
  EXPECT_NEAR(lmo_message({"all.latency", 2}), 60e-6, 1e-15);
}

/// Curves: what is there at no size at all is latency, the rest is bandwidth.
TEST(WhatIf, CutsCurvesIntoLatencyAndBandwidth) {
  const char* tau_lop = "[shared-cache] o=1us,L=0/1:1us;64K/1:11us,n=2 [inter-node] o=5us,L=1K/1:11us;64K/1:74us,n=1";
  EXPECT_NEAR(message(changed("taulop", tau_lop, {"inter-node.latency", 0.5}), 65536), 5e-6 + 5e-6 + 64e-6, 1e-12);
  EXPECT_NEAR(message(changed("taulop", tau_lop, {"inter-node.bandwidth", 2}), 65536), 5e-6 + 10e-6 + 32e-6, 1e-12);
  const char* log_3p = "o_mw=0:2us;1000:4us,o_net=0:20us;1000:30us";
  EXPECT_NEAR(message(changed("log3p", log_3p, {"all.bandwidth", 2}), 1000), 29e-6, 1e-15);
  EXPECT_NEAR(message(changed("log3p", log_3p, {"all.overhead", 0.5}), 1000), 32e-6, 1e-15);
  const char* within =
      "[shared-cache] o_0=0:1us;1000:2us,o_1=0:1us;1000:2us "
      "[inter-node] o_0=0:1us;1000:2us,o_1=0:9us;1000:12us,o_2=0:1us;1000:2us";
  const ParameterTable faster = changed("mlognp", within, {"shared-cache.bandwidth", 2});
  EXPECT_NEAR(faster.groups.front().curves.at("o_0").back().estimate.value, 1.5e-6, 1e-15);
  EXPECT_NEAR(message(changed("mlognp", within, {"inter-node.bandwidth", 3}), 1000), 14e-6, 1e-15);
}

/// A network that is faster than the processors does not make PLogP's gap smaller than their overheads.
TEST(WhatIf, KeepsTheGapOfPLogPAboveOverheads) {
  const char* plogp = "L=20us,o_s=0:1us;32K:20us;64K:40us,o_r=0:1us;64K:50us,g=0:2us;64K:80us";
  const ParameterTable table = changed("plogp", plogp, {"all.bandwidth", 8});
  const Platform platform = platform_of(table, 2, 1);
  EXPECT_NO_THROW(static_cast<void>(build_model(table, platform.channels)));
  EXPECT_NEAR(message(table, 65536), 70e-6, 1e-12);
}

/// Intervals keep their shares on either side.
TEST(WhatIf, KeepsIntervals) {
  const ParameterTable table = changed("hockney", "alpha=8us<10us<14us,beta=1ns", {"all.latency", 0.5});
  const Estimate& alpha = table.groups.front().values.at("alpha");
  EXPECT_NEAR(alpha.lower, 4e-6, 1e-15);
  EXPECT_NEAR(alpha.value, 5e-6, 1e-15);
  EXPECT_NEAR(alpha.upper, 7e-6, 1e-15);
}

/// Ranks 0 and 2 are of a kind, whose parameters stand with rank 0: changing rank 0 leaves rank 2 as it was.
TEST(WhatIf, SeparatesAProcessorFromItsKind) {
  ParameterTable table =
      parse_parameters("lmo", "C=1us,t=0,beta=1GB/s [processor 0] C=20us,t=0 [processor 1] C=30us,t=0");
  table.kind_of_rank = {0, 1, 0, 1};
  const Platform platform = platform_of(table, 2, 2);
  const auto between = [&](const ResourceChange& change, Rank source, Rank target) {
    const ParameterTable other = with_changes(table, platform, std::vector{change});
    const PlatformModel model(other, platform.channels, ChannelMap(platform, Mapping::block(2, 2)));
    return predict_message(source, target, 0, model).seconds;
  };
  Platform all = platform;
  EXPECT_NEAR(between({"processor 0.speed", 2}, 0, 1), 40e-6, 1e-15);
  EXPECT_NEAR(between({"processor 1.speed", 3}, 0, 1), 30e-6, 1e-15);
  const auto resources = resources_of(platform, table);
  EXPECT_NE(std::ranges::find(resources, "processor 3.speed"), resources.end());
}

/// Of every model's example all resources together, but for overheads of channels, which are the processors' too, make
/// a collective faster by the factor that each has: no time is forgotten or changed twice.
TEST(WhatIf, ReachesEveryTimeOfEveryModel) {
  for (const ModelDescriptor* descriptor : models()) {
    const ParameterTable table = parse_parameters(descriptor->name, descriptor->example);
    const Platform platform = platform_of(table, 2, 4);
    std::vector<ResourceChange> all;
    for (const std::string& resource : resources_of(platform, table)) {
      if (!resource.starts_with("processor ") && !resource.ends_with(".overhead")) {
        all.push_back(twice_as_good(resource));
      }
    }
    ASSERT_FALSE(all.empty()) << descriptor->name;
    const auto time = [&](const ParameterTable& of) {
      const PlatformModel model(of, platform.channels, ChannelMap(platform, Mapping::block(2, 4)));
      const Schedule schedule =
          build_schedule(find_algorithm(Collective::kAllreduce, "ring"), {.ranks = 8, .bytes = 100'000});
      return predict(schedule, model, Evaluator::kRounds).seconds;
    };
    const double gain = time(table) / time(with_changes(table, platform, all));
    EXPECT_NEAR(gain, 2, 1e-6) << descriptor->name;
  }
}

TEST(WhatIf, ChangesLinksBetweenSwitches) {
  NetworkStructure network;
  network.levels = {{GroupJunction::kSwitch, 1, Estimate{1e9, 0.9e9, 1.1e9}}};
  network.groups = {{"left", 0, -1, {0, 1}, Estimate::exactly(2e9)}};
  const NetworkStructure other = with_changes(network, std::vector{ResourceChange{"switches.bandwidth", 2}});
  EXPECT_EQ(other.levels.front().bandwidth, (Estimate{2e9, 1.8e9, 2.2e9}));
  EXPECT_EQ(other.groups.front().up, Estimate::exactly(4e9));
  EXPECT_EQ(with_changes(network, std::vector{ResourceChange{"inter-node.bandwidth", 2}}), network);
  Platform platform{.name = "two", .channels = {kInterNode}, .network = network};
  const ParameterTable table = parse_parameters("flow", "L=5us,o=1us,G=1ns");
  const auto resources = resources_of(platform, table);
  EXPECT_NE(std::ranges::find(resources, "switches.bandwidth"), resources.end());
}

TEST(WhatIf, NamesManyProcessorsByTheirRange) {
  EXPECT_EQ(describe_resources({"inter-node.latency", "processor 0.speed", "processor 1.speed", "processor 2.speed"}),
            "inter-node.latency, processor N.speed with N from 0 to 2");
}

}  // namespace
}  // namespace postage
