#include "predict/what_if/effects.hpp"

#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// The description of a symbol of a model's table: nullptr for those that no descriptor knows.
const ParameterDescription* find_description(const ModelDescriptor& model, std::string_view symbol) {
  const auto found = std::ranges::find_if(model.parameters, [&](const ParameterDescription& one) {
    return one.matches(symbol) || (!one.falls_back_to.empty() && one.falls_back_to == symbol);
  });
  return found == model.parameters.end() ? nullptr : &*found;
}

template <typename Visit>
void for_each_symbol(const ParameterGroup& group, const Visit& visit) {
  for (const auto& one : group.values) {
    visit(one.first);
  }
  for (const auto& one : group.curves) {
    visit(one.first);
  }
  for (const auto& one : group.surfaces) {
    visit(one.first);
  }
}

/// The number at the end of "o_2"; -1 where there is none.
int index_of(std::string_view symbol) {
  const auto bar = symbol.rfind('_');
  const bool is_number = bar != std::string_view::npos && bar + 1 < symbol.size() &&
                         std::all_of(symbol.begin() + static_cast<std::ptrdiff_t>(bar) + 1, symbol.end(),
                                     [](char c) { return c >= '0' && c <= '9'; });
  return is_number ? std::stoi(std::string(symbol.substr(bar + 1))) : -1;
}

/// One of a message's transfers is the processors' where others lie between the two ends (ParameterRole::kTransfer).
ParameterRole role_of_transfer(const ModelDescriptor& model, const ParameterGroup& group, const std::string& symbol) {
  int last = -1;
  bool has_between = false;
  for_each_symbol(group, [&](const std::string& other) {
    const ParameterDescription* description = find_description(model, other);
    if (description != nullptr && description->role == ParameterRole::kTransfer) {
      last = std::max(last, index_of(other));
    }
    has_between = has_between || (description != nullptr && description->role == ParameterRole::kLatency);
  });
  const int own = index_of(symbol);
  const bool is_end = own <= 0 || own == last;
  return is_end && (has_between || last >= 2) ? ParameterRole::kOverhead : ParameterRole::kLatency;
}

}  // namespace

bool is_rate(std::string_view quantity) {
  return quantity != kOfLatency && quantity != kOfOverhead;
}

std::string resource_name(std::string_view owner, std::string_view quantity) {
  return fmt::format("{}.{}", owner, quantity);
}

std::string processor_name(int rank) {
  return fmt::format("processor {}", rank);
}

EffectFinder::EffectFinder(const Platform& platform, const ParameterTable& table) : platform_(platform), table_(table) {
  if (!platform.ranks.empty()) {
    measured_.emplace(platform, Mapping::explicit_placements(platform.ranks));
  }
}

/// Of a processor's own limits those towards other nodes.
std::string EffectFinder::channel_of(const ParameterScope& scope) const {
  if (!scope.is_pair()) {
    return scope.is_processor() && scope.channel.empty() ? kInterNode : scope.channel;
  }
  const bool is_measured = measured_ && scope.second < static_cast<int>(platform_.ranks.size());
  return is_measured ? platform_.channels[measured_->channel_of(scope.first, scope.second)] : kInterNode;
}

ParameterEffect EffectFinder::effect_of(const ParameterGroup& group, const std::string& symbol) const {
  const ModelDescriptor& model = find_model(table_.model);
  const ParameterDescription* description = find_description(model, symbol);
  if (description == nullptr || description->role == ParameterRole::kNone) {
    return {};
  }
  const ParameterRole role =
      description->role == ParameterRole::kTransfer ? role_of_transfer(model, group, symbol) : description->role;
  const auto of_channel = [&](std::string_view quantity) {
    return std::vector{resource_name(channel_of(group.scope), quantity)};
  };
  switch (role) {
    case ParameterRole::kLatency:
      return {of_channel(kOfLatency), of_channel(kOfBandwidth)};
    case ParameterRole::kMessageRate:
      return {of_channel(kOfMessageRate), of_channel(kOfBandwidth)};
    case ParameterRole::kBandwidth:
      return {of_channel(kOfBandwidth), of_channel(kOfBandwidth), description->unit == "B/s"};
    case ParameterRole::kOverhead: {
      std::vector<std::string> all{resource_name(kProcessors, kOfSpeed)};
      if (description->owner != ParameterOwner::kPlatform && !group.scope.channel.empty()) {
        all.push_back(resource_name(group.scope.channel, kOfOverhead));
      }
      if (group.scope.is_processor()) {
        all.push_back(resource_name(processor_name(group.scope.processor), kOfSpeed));
      }
      return {all, all};
    }
    case ParameterRole::kNone:
    case ParameterRole::kTransfer:
      break;
  }
  return {};
}

}  // namespace postage
