// The evaluators of the timeline against the simulator of tests/support/port_simulator.hpp.
#include "random_models.hpp"
#include "support/exhaustive.hpp"
#include "support/port_simulator.hpp"

#include <postage/predict/explanation.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace postage {
namespace {

constexpr double kSame = 1e-9;
const std::vector<std::string> kChannelNames{"within", "between"};

struct Job {
  Schedule schedule;
  ChannelMap channels;
  std::string places;
};

std::string text_of(const Job& job) {
  return fmt::format("{} {} P={} root={} {} bytes, {} segments, {}", name_of(job.schedule.collective),
                     job.schedule.algorithm, job.schedule.ranks, job.schedule.root, traffic_of(job.schedule).bytes,
                     job.schedule.stages.empty() ? 0 : job.schedule.stages[0].segments, job.places);
}

/// Every way to the time of a schedule that says to be the timeline's; "" if all agree with the simulator.
std::string difference(const Job& job, const Model& model) {
  const auto finish = test::PortSimulator(job.schedule, job.channels, model).run();
  const Seconds expected = *std::max_element(finish.begin(), finish.end());
  const auto check = [&](const char* evaluator, Seconds found) {
    return std::abs(found - expected) <= kSame * expected
               ? std::string()
               : fmt::format("{}: {} says {} s instead of {}", text_of(job), evaluator, found, expected);
  };
  std::string wrong = check("play", play(job.schedule, job.channels, model).seconds());
  if (const auto found = play_representatives(job.schedule, job.channels, model); found && wrong.empty()) {
    wrong = check("play_representatives", *found);
  }
  return wrong.empty() ? check("explain", explain(job.schedule, job.channels, model, kChannelNames).seconds) : wrong;
}

/// One that has a gap, with parameters of any size beside one another.
LogGPLink unruly_loggp() {
  return {any_time(), any_time(1e-9), any_time(1e-9), any_time(1e-8), any_time(1e-12)};
}

template <typename M, typename AnyLink>
M on_two_channels(const AnyLink& any_link) {
  M model{.combine_per_byte = any_time(1e-12)};
  model.links.set_channel(0, {{0, any_link()}, {3000, any_link()}});
  model.links.set_channel(1, {{0, any_link()}});
  return model;
}

Model any_two_channel_model() {
  switch (*rc::gen::inRange(0, 7)) {
    case 0:
      return on_two_channels<Hockney>([] { return HockneyLink{any_time(), any_time(1e-12)}; });
    case 1:
      return on_two_channels<LogP>([] {
        return LogPLink{any_time(), any_time(1e-9), any_time(1e-9), any_time(), *rc::gen::element<Bytes>(0, 700)};
      });
    case 2:
      return on_two_channels<LogGPS>([] {
        return LogGPSLink{unruly_loggp(), *rc::gen::element<Bytes>(0, 1000, 100'000), any_time()};
      });
    case 3:
      return on_two_channels<LogGPC>([] { return LogGPCLink{unruly_loggp(), any_contended_surface(any_curve())}; });
    case 4:
      return on_two_channels<PLogP>(any_plogp);
    case 5: {  // links of single ranks
      Hockney model;
      model.links.set_all_channels({{0, HockneyLink{any_time(), any_time(1e-12)}}});
      for (Rank rank = 1; rank < 12; ++rank) {
        model.links.set_pair(0, rank, {{0, HockneyLink{any_time(), any_time(1e-12)}}});
      }
      return model;
    }
    default:
      return on_two_channels<LogGP>(unruly_loggp);
  }
}

/// Bytes of each block of those collectives that have a v-variant; mostly none, for equal blocks.
std::vector<Bytes> any_counts(Collective collective, Rank ranks) {
  const bool has_counts = collective == Collective::kGather || collective == Collective::kScatter ||
                          collective == Collective::kAllgather || collective == Collective::kReduceScatter ||
                          collective == Collective::kAlltoall;
  if (!has_counts || *rc::gen::inRange(0, 3) > 0) {
    return {};
  }
  const std::size_t blocks =
      static_cast<std::size_t>(ranks) * (collective == Collective::kAlltoall ? static_cast<std::size_t>(ranks) : 1);
  std::vector<Bytes> counts;
  while (counts.size() < blocks) {
    counts.push_back(*rc::gen::element<Bytes>(0, 1, 900, 5000, 70'000));
  }
  return counts;
}

/// The simulator knows no acknowledgements.
Schedule without_protocols(Schedule schedule) {
  return with_protocol(std::move(schedule), Protocol::kDefault);
}

Job any_job() {
  const auto per_node = static_cast<std::int32_t>(*rc::gen::element(1, 2, 3, 4, 6));
  const std::int32_t nodes = *rc::gen::inRange(1, 9);
  const bool is_full = *rc::gen::inRange(0, 2) == 0;
  const Rank ranks = is_full ? nodes * per_node : *rc::gen::inRange(1, nodes * per_node + 1);
  const auto all = algorithms();
  const Algorithm& algorithm = all[*rc::gen::inRange<std::size_t>(0, all.size())];
  RC_PRE(can_do(algorithm, ranks));
  const Rank root = has_root(algorithm.collective) ? *rc::gen::inRange<Rank>(0, ranks) : 0;
  const ScheduleRequest request{.ranks = ranks,
                                .root = root,
                                .bytes = *rc::gen::element<Bytes>(0, 40, 4096, 10'000, Bytes{ranks} * 48),
                                .segment_bytes = *rc::gen::element<Bytes>(0, 0, 512, 4000),
                                .block_bytes = any_counts(algorithm.collective, ranks)};
  const int kind = *rc::gen::inRange(0, 3);
  return {without_protocols(build_schedule(algorithm, request)),
          kind == 0   ? ChannelMap::single_channel()
          : kind == 1 ? cluster(nodes, per_node)
                      : round_robin_cluster(nodes, per_node),
          fmt::format("{} {} x {}", std::array{"single", "block", "cyclic"}[static_cast<std::size_t>(kind)], nodes,
                      per_node)};
}

RC_GTEST_PROP(Ports, ServeMessagesInTheOrderOfArrival, ()) {
  const Job job = any_job();
  const std::string wrong = difference(job, any_two_channel_model());
  if (!wrong.empty()) {
    RC_LOG() << wrong << '\n';
    RC_FAIL("differs from the simulator");
  }
}

constexpr std::pair<const char*, const char*> kModels[] = {
    {"loggp", "[within] L=0.1us,o=0.2us,g=0.4us,G=0.1ns [between] L=5us,o_s=1us,o_r=2us,g=4us,G=0.8ns"},
    {"loggp", "L=5us,o=1us,g=2us,G=1ns"},
    {"loggps", "L=5us,o=1us,g=2us,G=1ns,S=4K"},
    {"logp", "L=5us,o=1us,g=20us"},
    {"plogp", "L=20us,o_s=0:1us;64K:40us,o_r=0:1us;64K:50us,g=0:2us;64K:80us"},
    {"hockney", "[within] alpha=1us,beta=0.1ns [between] alpha=10us,beta=1ns"},
};

/// All collectives, algorithms and roots on `ranks` ranks.
void check_all(Rank ranks, const ChannelMap& channels, const std::string& places, const Model& model) {
  for (const Algorithm& algorithm : algorithms()) {
    if (!can_do(algorithm, ranks)) {
      continue;
    }
    for (const Rank root : has_root(algorithm.collective) ? test::roots(ranks) : std::vector<int>{0}) {
      for (const Bytes bytes : {1024, 65'536}) {
        for (const Bytes segment : {0, 4096}) {
          if (segment > 0 && (!algorithm.segmentable || bytes <= segment)) {
            continue;
          }
          const Schedule schedule = without_protocols(
              build_schedule(algorithm, {.ranks = ranks, .root = root, .bytes = bytes, .segment_bytes = segment}));
          EXPECT_EQ(difference({schedule, channels, places}, model), "");
        }
      }
    }
  }
}

TEST(Ports, OfAllSchedulesServeMessagesInTheOrderOfArrival) {
  for (const Rank ranks : test::is_exhaustive() ? test::rank_counts(24) : std::vector<int>{1, 2, 5, 8, 13}) {
    const std::int32_t per_node = 4;
    const std::int32_t nodes = (ranks + per_node - 1) / per_node;
    for (const auto& [name, parameters] : kModels) {
      const Model model = build_model(parse_parameters(name, parameters), kChannelNames);
      check_all(ranks, cluster(nodes, per_node), "block", model);
      check_all(ranks, round_robin_cluster(nodes, per_node), "cyclic", model);
    }
  }
}

}  // namespace
}  // namespace postage
