#include "predict/exports/pieces.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/exports.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace postage {
namespace {

/// LogGOPSim's parameters, in seconds and bytes. Its default S: nothing is said of a rendezvous.
struct LogGops {
  Seconds latency = 0;
  Seconds overhead = 0;
  Seconds gap = 0;
  double gap_per_byte = 0;
  Bytes rendezvous_above = 65535;

  [[nodiscard]] Seconds time_of(Bytes bytes) const {
    return latency + 2 * overhead + static_cast<double>(bytes - 1) * gap_per_byte;
  }
};

double value_of(const ParameterGroup& group, const char* symbol, const char* otherwise = nullptr) {
  const auto found = group.values.find(symbol);
  if (found != group.values.end()) {
    return found->second.value;
  }
  return otherwise == nullptr ? 0 : value_of(group, otherwise);
}

/// The first and the last group of the network's channel, by size.
std::optional<LogGops> from_table(const ParameterTable* table, const std::string& channel) {
  if (table == nullptr) {
    return std::nullopt;
  }
  const ParameterGroup* first = nullptr;
  const ParameterGroup* last = nullptr;
  for (const ParameterGroup& group : table->groups) {
    if (group.scope.channel == channel || group.scope.channel == kAllChannels) {
      first = first == nullptr || group.from_bytes < first->from_bytes ? &group : first;
      last = last == nullptr || group.from_bytes >= last->from_bytes ? &group : last;
    }
  }
  if (first == nullptr || !first->values.contains("L")) {
    return std::nullopt;
  }
  LogGops found{.latency = value_of(*first, "L"),
                .overhead = (value_of(*first, "o_s", "o") + value_of(*first, "o_r", "o")) / 2,
                .gap = value_of(*first, "g"),
                .gap_per_byte = value_of(*last, "G")};
  if (const double limit = value_of(*first, "S"); limit > 0) {
    found.rendezvous_above = static_cast<Bytes>(limit);
  }
  return found;
}

LogGops from_hockney(const Platform& platform, const std::string& channel) {
  const std::vector<MessagePiece> pieces = hockney_pieces(platform, channel);
  return {.latency = pieces.front().latency, .gap_per_byte = pieces.back().per_byte};
}

std::string options_of(const LogGops& parameters) {
  const auto nanoseconds = [](Seconds seconds) { return std::llround(seconds * 1e9); };
  return fmt::format("--LogGOPS_L={} --LogGOPS_o={} --LogGOPS_g={} --LogGOPS_G={:.6g} --LogGOPS_O=0 --LogGOPS_S={}",
                     nanoseconds(parameters.latency), nanoseconds(parameters.overhead), nanoseconds(parameters.gap),
                     parameters.gap_per_byte * 1e9, parameters.rendezvous_above);
}

}  // namespace

LogGopsExport loggops_export(const Platform& platform) {
  const std::string channel = network_channel(platform);
  std::string model = "loggps";
  std::optional<LogGops> parameters = from_table(find_table(model, platform.models), channel);
  if (!parameters) {
    model = "loggp";
    parameters = from_table(find_table(model, platform.models), channel);
  }
  if (!parameters) {
    model = "hockney";
    parameters = from_hockney(platform, channel);
  }
  const std::vector<MessagePiece> pieces = hockney_pieces(platform, channel);
  const auto [worst, where] = largest_error(pieces, [&](Bytes bytes) { return parameters->time_of(bytes); });
  LogGopsExport result{options_of(*parameters), {}};
  result.remarks.push_back(fmt::format(
      "of {} over {}, L, o and g of small messages and G of large ones: a message alone is within {:.0f} % of the "
      "platform's time (the farthest at {})",
      model, channel, 100 * worst, format_bytes(where)));
  add_pair_remark(platform, channel, result.remarks);
  if (platform.channels.size() > 1) {
    result.remarks.push_back("LogGOPSim knows one level: messages inside a node take as long as between nodes");
  }
  if (model == "hockney") {
    result.remarks.push_back("the platform has neither LogGPS nor LogGP: o and g are 0");
  }
  return result;
}

}  // namespace postage
