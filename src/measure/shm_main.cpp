// The measuring program over the intra-node channel: it starts its ranks itself.
//
//   postage-measure-shm -n 4 --sizes 8,64K -o samples.json
//   postage-measure-shm -n 2 --thresholds          also the channel's thresholds, before anything else
#include "measure/arguments.hpp"
#include "measure/results.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/shm_protocols.hpp>
#include <postage/platform/topology.hpp>
#include <postage/shm/fork.hpp>
#include <postage/transport/shm/shm_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <vector>

namespace postage {
namespace {

/// Ranks to start: the number after -n where that comes first, which is then taken away; one a core otherwise.
std::int32_t take_ranks(std::vector<const char*>& arguments) {
  if (arguments.size() < 2 || std::string_view(arguments[1]) != "-n") {
    return static_cast<std::int32_t>(std::max<std::size_t>(discover_topology().cores.size(), 2));
  }
  const std::string_view text = arguments.size() > 2 ? arguments[2] : "";
  std::int32_t ranks = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ranks);
  if (error != std::errc{} || end != text.data() + text.size() || ranks < 2) {
    throw UsageError(fmt::format("-n '{}': give the number of ranks, at least 2", text));
  }
  arguments.erase(arguments.begin() + 1, arguments.begin() + 3);
  return ranks;
}

/// Whether the word is there; it is taken away.
bool take_flag(std::vector<const char*>& arguments, std::string_view flag) {
  return std::erase_if(arguments, [&](const char* word) { return word == flag; }) > 0;
}

void print_ways(const MeasuredDistance& measured) {
  fmt::print("{}, hardware threads {} and {}{}\n{:>8}", name_of(measured.distance), measured.pus[0], measured.pus[1],
             measured.single_copy ? "" : ", which may not read each other's memory", "size");
  for (const ShmProtocol way : kChannelWays) {
    fmt::print(" {:>12}", name_of(way));
  }
  for (const WayTimes& times : measured.times) {
    fmt::print("\n{:>8}", format_bytes(times.bytes));
    for (const ShmProtocol way : kChannelWays) {
      fmt::print(" {:>12}", std::isfinite(times.by(way)) ? format_seconds(times.by(way)) : "-");
    }
  }
  fmt::print("\n");
}

std::vector<MeasuredThresholds> measure_thresholds(bool prints) {
  std::vector<MeasuredThresholds> thresholds;
  for (const MeasuredDistance& measured : measure_channel_thresholds()) {
    thresholds.push_back({name_of(measured.distance), measured.thresholds});
    if (prints) {
      print_ways(measured);
    }
  }
  return thresholds;
}

/// What the channel itself uses in the campaign that follows.
ThresholdTable table_of(const std::vector<MeasuredThresholds>& thresholds) {
  Platform platform;
  platform.channel_thresholds = thresholds;
  return ThresholdTable::of_platform(platform);
}

int measure(ShmEndpoint& channel, const MeasureArguments& arguments,
            const std::vector<MeasuredThresholds>& thresholds) {
  ShmTransport transport(channel);
  SampleSet samples = run_campaign(transport, arguments.plan, arguments.settings, hooks_of(arguments));
  if (channel.rank() == 0) {
    samples.channel_thresholds = thresholds;
    write_or_print(samples, arguments.output);
  }
  return 0;
}

int run(std::vector<const char*> words) {
  const std::int32_t ranks = take_ranks(words);
  const bool with_thresholds = take_flag(words, "--thresholds");
  const MeasureArguments arguments = parse_measure_arguments(static_cast<int>(words.size()), words.data());
  if (!arguments.help.empty()) {
    fmt::print(
        "{}\nFirst of all, -n RANKS says how many ranks to start; --thresholds measures from which sizes on the "
        "channel "
        "takes another way, and uses that.\n",
        arguments.help);
    return 0;
  }
  check_output(arguments.output);
  ForkOptions how;
  std::vector<MeasuredThresholds> thresholds;
  if (with_thresholds) {
    thresholds = measure_thresholds(arguments.output.empty());
    how.channel.thresholds = table_of(thresholds);
  }
  return run_forked(
      ranks, [&](ShmEndpoint& channel) { return measure(channel, arguments, thresholds); }, how);
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  try {
    return postage::run({argv, argv + argc});
  } catch (const postage::UsageError& mistake) {
    fmt::print(stderr, "postage-measure: {}\n", mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "postage-measure: {}\n", failure.what());
    return 1;
  }
}
