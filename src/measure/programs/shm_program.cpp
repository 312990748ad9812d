#include "measure/programs/arguments.hpp"
#include "measure/programs/results.hpp"

#include <postage/base/error.hpp>
#include <postage/measure/shm_program.hpp>
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

void print_times(const char* title, const std::vector<ProtocolTimes>& table) {
  fmt::print("{}\n{:>8}", title, "size");
  for (const ShmProtocol protocol : kShmProtocols) {
    fmt::print(" {:>12}", name_of(protocol));
  }
  for (const ProtocolTimes& times : table) {
    fmt::print("\n{:>8}", format_bytes(times.bytes));
    for (const ShmProtocol protocol : kShmProtocols) {
      fmt::print(" {:>12}", std::isfinite(times.by(protocol)) ? format_seconds(times.by(protocol)) : "-");
    }
  }
  fmt::print("\n");
}

void print_level(const LevelTimes& measured) {
  fmt::print("{}, hardware threads {} and {}{}\n", name_of(measured.level), measured.pus[0], measured.pus[1],
             measured.single_copy ? "" : ", which may not read each other's memory");
  print_times("rewritten buffers, one way", measured.rewritten.one_way);
  print_times("rewritten buffers, bidirectional", measured.rewritten.bidirectional);
  print_times("reused buffers, one way", measured.reused.one_way);
  print_times("reused buffers, bidirectional", measured.reused.bidirectional);
}

/// What shared memory itself uses in the campaign that follows.
ThresholdTable table_of(const std::vector<MeasuredThresholds>& thresholds) {
  Platform platform;
  platform.shm_protocols = thresholds;
  return ThresholdTable::of_platform(platform);
}

int measure(ShmEndpoint& endpoint, const MeasureArguments& arguments,
            const std::vector<MeasuredThresholds>& thresholds) {
  ShmTransport transport(endpoint);
  SampleSet samples = run_campaign(transport, arguments.plan, arguments.settings, hooks_of(arguments));
  if (endpoint.rank() == 0) {
    samples.shm_protocols = thresholds;
    write_or_print(samples, arguments.output);
  }
  return 0;
}

}  // namespace

int measure_over_shm(std::vector<const char*> words, const ThresholdChoice& choose) {
  const std::int32_t ranks = take_ranks(words);
  const bool with_thresholds = take_flag(words, "--thresholds");
  const MeasureArguments arguments = parse_measure_arguments(static_cast<int>(words.size()), words.data());
  if (!arguments.help.empty()) {
    fmt::print(
        "{}\nFirst of all, -n RANKS says how many ranks to start; --thresholds measures from which sizes on shared "
        "memory takes another protocol, and uses that.\n",
        arguments.help);
    return 0;
  }
  check_output(arguments.output);
  ForkOptions how;
  std::vector<MeasuredThresholds> thresholds;
  if (with_thresholds) {
    const std::vector<LevelTimes> times = measure_shm_protocols();
    if (arguments.output.empty()) {
      std::for_each(times.begin(), times.end(), print_level);
    }
    thresholds = choose(times);
    how.endpoint.thresholds = table_of(thresholds);
  }
  return run_forked(
      ranks, [&](ShmEndpoint& endpoint) { return measure(endpoint, arguments, thresholds); }, how);
}

}  // namespace postage
