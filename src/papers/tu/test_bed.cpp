#include "papers/tu/test_bed.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/prediction.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace postage::tu_paper {
namespace {

constexpr int kNodes = 8;
constexpr int kPerNode = 8;
constexpr int kCalibrationNodes = 2;

/// Half of o, and half of o + l, at each point: what one end of a message takes.
std::vector<std::string> end_times(const char* where, const MiddlewareTimes& times) {
  std::vector<std::string> entries{fmt::format("{} 0 0 0", where)};
  for (const Bytes bytes : kSizes) {
    entries.push_back(fmt::format("{} {} 0 {:.9e}", where, bytes, times.overhead.at(bytes) / 2));
    for (const Bytes stride : kStrides) {
      entries.push_back(fmt::format("{} {} {} {:.9e}", where, bytes, stride, times.whole(bytes, stride) / 2));
    }
  }
  return entries;
}

VirtualMachine test_bed(const Middleware2& middleware, const Network& network) {
  std::vector<std::string> entries = end_times("node", middleware.node);
  const std::vector<std::string> others = end_times("network", middleware.network);
  entries.insert(entries.end(), others.begin(), others.end());
  return {.name = "tu",
          .title = "8 nodes of 8 cores",
          .nodes = kNodes,
          .per_node = kPerNode,
          .card_bandwidth = network.bandwidth,
          .card_latency = network.latency / 2,
          .memory_bandwidth = 1e15,
          .middleware = fmt::format("{}", fmt::join(entries, ";"))};
}

CollectiveRun run_of(const std::string& algorithm, Bytes bytes, Bytes stride) {
  return {.collective = Collective::kBcast, .algorithm = algorithm, .bytes = bytes, .strides = {kElement, stride}};
}

/// As the paper finds its parameters: from roundtrips, contiguous and strided, and what sends and receives take.
Platform calibrate(PaperContext& context, const VirtualMachine& machine) {
  return estimate_platform(
      context.simulate(machine, kCalibrationNodes * kPerNode, Placement::kBlock,
                       {"--sizes", "1K,4K,16K", "--overhead-sizes", "1K,4K,16K", "--strided-sizes", "1K,4K,16K",
                        "--strides", "8,64,512", "--run", "4", "--train-sizes", "none", "--control-sizes", "none"}),
      machine.name);
}

std::vector<Seconds> simulate(PaperContext& context, const VirtualMachine& machine, const std::string& algorithm) {
  std::vector<std::string> words{"--sizes",         "none", "--train-sizes",    "none",
                                 "--control-sizes", "none", "--overhead-sizes", "none"};
  for (const Bytes bytes : kSizes) {
    for (const Bytes stride : kStrides) {
      words.insert(words.end(), {"--collective", format_collective_run(run_of(algorithm, bytes, stride))});
    }
  }
  const SampleSet samples = context.simulate(machine, kNodes * kPerNode, Placement::kBlock, words);
  std::map<std::pair<Bytes, Bytes>, Seconds> times;
  for (const Measurement& m : samples.measurements) {
    times[{m.experiment.bytes, m.experiment.stride}] = m.summary.median;
  }
  std::vector<Seconds> in_order;
  for (const auto& [point, seconds] : times) {
    in_order.push_back(seconds);
  }
  return in_order;
}

std::vector<Seconds> predict_all(const Platform& platform, std::string_view model, const std::string& algorithm) {
  const ParameterTable* table = find_table(model, platform.models);
  if (table == nullptr) {
    throw Error(fmt::format("the samples gave no parameters of {}", model));
  }
  // The other nodes are like those that were measured.
  const PlatformModel contiguous(*table, platform.channels, ChannelMap(platform, Mapping::block(kNodes, kPerNode)));
  std::vector<Seconds> times;
  for (const Bytes bytes : kSizes) {
    for (const Bytes stride : kStrides) {
      const CollectiveRun run = run_of(algorithm, bytes, stride);
      times.push_back(predict(schedule_of(run, kNodes * kPerNode), contiguous.with_strides(run.strides)).seconds);
    }
  }
  return times;
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> numbers;
  for (const Json& item : list) {
    numbers.push_back(item.number());
  }
  return numbers;
}

Json run_broadcasts(PaperContext& context, const Network& network, const std::string& algorithm) {
  const VirtualMachine machine = test_bed(measured_middleware(context), network);
  context.tell(fmt::format("simulating {} broadcasts over {}", algorithm, network.name));
  const Platform platform = calibrate(context, machine);
  return {{"measured", simulate(context, machine, algorithm)},
          {"log_3p", predict_all(platform, "log3p", algorithm)},
          {"two_log", predict_all(platform, "2log23p", algorithm)}};
}

}  // namespace

Network gigabit_ethernet() {
  return {"Gigabit Ethernet", 125e6, 30e-6};
}

Network fast_ethernet() {
  return {"25 Gbit/s Ethernet", 3.125e9, 10e-6};
}

BroadcastTimes broadcast_times(PaperContext& context, const Network& network, const std::string& algorithm) {
  const Json& times = context.once(fmt::format("tu-{}-{}", algorithm, network.name),
                                   [&] { return run_broadcasts(context, network, algorithm); });
  return {numbers_of(times["measured"]), numbers_of(times["log_3p"]), numbers_of(times["two_log"])};
}

}  // namespace postage::tu_paper
