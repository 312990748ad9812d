// The measuring program over the intra-node channel: it starts its ranks itself.
//
//   postage-measure-channel -n 4 --sizes 8,64K -o samples.json
#include "measure/arguments.hpp"
#include "measure/results.hpp"
#include "transport/channel/channel_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/channel/fork.hpp>
#include <postage/platform/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
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

int measure(Channel& channel, const MeasureArguments& arguments) {
  ChannelTransport transport(channel);
  const SampleSet samples = run_campaign(transport, arguments.plan, arguments.settings);
  if (channel.rank() == 0) {
    write_or_print(samples, arguments.output);
  }
  return 0;
}

int run(std::vector<const char*> words) {
  const std::int32_t ranks = take_ranks(words);
  const MeasureArguments arguments = parse_measure_arguments(static_cast<int>(words.size()), words.data());
  if (!arguments.help.empty()) {
    fmt::print("{}\nFirst of all, -n RANKS says how many ranks to start.\n", arguments.help);
    return 0;
  }
  return run_forked(ranks, [&](Channel& channel) { return measure(channel, arguments); });
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
