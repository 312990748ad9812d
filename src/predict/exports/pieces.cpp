#include "predict/exports/pieces.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

/// The scope whose parameters hold on the channel: its own, else all channels', else the first pair's on it.
const ParameterScope* scope_of(const ParameterTable& table, const Platform& platform, const std::string& channel) {
  const auto find = [&](const auto& holds) -> const ParameterScope* {
    const auto found = std::find_if(table.groups.begin(), table.groups.end(),
                                    [&](const ParameterGroup& group) { return holds(group.scope); });
    return found == table.groups.end() ? nullptr : &found->scope;
  };
  const auto is_on_channel = [&](const ParameterScope& scope) {
    return scope.is_pair() && std::any_of(platform.points.begin(), platform.points.end(), [&](const MeasuredPoint& p) {
             return p.channel == channel && std::minmax(p.source, p.target) == std::minmax(scope.first, scope.second);
           });
  };
  const ParameterScope* own = find([&](const ParameterScope& scope) { return scope.channel == channel; });
  const ParameterScope* all = own ? own : find([](const auto& scope) { return scope.channel == kAllChannels; });
  return all ? all : find(is_on_channel);
}

}  // namespace

std::vector<MessagePiece> hockney_pieces(const Platform& platform, const std::string& channel) {
  const ParameterTable* table = find_table("hockney", platform.models);
  const ParameterScope* scope = table == nullptr ? nullptr : scope_of(*table, platform, channel);
  std::vector<MessagePiece> pieces;
  for (std::size_t i = 0; scope != nullptr && i < table->groups.size(); ++i) {
    const ParameterGroup& group = table->groups[i];
    const auto alpha = group.values.find("alpha");
    const auto beta = group.values.find("beta");
    if (group.scope == *scope && alpha != group.values.end() && beta != group.values.end()) {
      pieces.push_back({group.from_bytes, alpha->second.value, beta->second.value});
    }
  }
  if (pieces.empty()) {
    throw Error(fmt::format("platform {} has no Hockney parameters of messages over {}", platform.name, channel));
  }
  std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.from_bytes < b.from_bytes; });
  return pieces;
}

void add_pair_remark(const Platform& platform, const std::string& channel, std::vector<std::string>& remarks) {
  const ParameterTable* table = find_table("hockney", platform.models);
  const ParameterScope* scope = table == nullptr ? nullptr : scope_of(*table, platform, channel);
  if (scope != nullptr && scope->is_pair()) {
    remarks.push_back(fmt::format("{}: parameters differ by pair of ranks; all get those of {} and {}", channel,
                                  scope->first, scope->second));
  }
}

const MessagePiece& piece_of(const std::vector<MessagePiece>& pieces, Bytes bytes) {
  const auto next = std::upper_bound(pieces.begin(), pieces.end(), bytes,
                                     [](Bytes size, const MessagePiece& piece) { return size < piece.from_bytes; });
  return next == pieces.begin() ? pieces.front() : *std::prev(next);
}

Seconds time_of(const std::vector<MessagePiece>& pieces, Bytes bytes) {
  const MessagePiece& piece = piece_of(pieces, bytes);
  return piece.latency + piece.per_byte * static_cast<double>(bytes);
}

LargestError largest_error(const std::vector<MessagePiece>& pieces, const std::function<Seconds(Bytes)>& time) {
  LargestError largest;
  for (const Bytes bytes : compared_sizes()) {
    const double error = std::abs(time(bytes) / time_of(pieces, bytes) - 1);
    if (error > largest.relative) {
      largest = {error, bytes};
    }
  }
  return largest;
}

std::string network_channel(const Platform& platform) {
  const auto found = std::find(platform.channels.begin(), platform.channels.end(), kInterNode);
  if (platform.channels.empty()) {
    throw Error(fmt::format("platform {} has no channels", platform.name));
  }
  return found == platform.channels.end() ? platform.channels.back() : *found;
}

std::vector<Bytes> compared_sizes() {
  std::vector<Bytes> sizes;
  for (Bytes bytes = 1; bytes <= Bytes{4} << 20; bytes *= 2) {
    sizes.push_back(bytes);
  }
  return sizes;
}

}  // namespace postage
