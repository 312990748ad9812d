#include <postage/model/cell_plogp.hpp>
#include <postage/model/extrapolation.hpp>
#include <postage/model/model.hpp>

#include <algorithm>

namespace postage {
namespace {

/// 1 within [first, last], else how many times smaller or larger `value` is.
double distance(double value, double first, double last) {
  return value > last ? value / std::max(last, 1.0) : value < first ? first / std::max(value, 1.0) : 1;
}

/// 0 where the group is not for this transfer; else higher for the closer scope.
int closeness(const ParameterScope& scope, std::string_view channel, const TransferQuestion& question) {
  const auto [first, second] = std::minmax(question.source, question.target);
  if (scope.is_pair()) {
    return first >= 0 && scope.first == first && scope.second == second ? 3 : 0;
  }
  return scope.is_processor() ? 0 : scope.channel == channel ? 2 : scope.channel == kAllChannels ? 1 : 0;
}

/// The group that the transfer takes its parameters from, or nothing.
const ParameterGroup* find_group(const ParameterTable& table, std::string_view channel,
                                 const TransferQuestion& question) {
  const ParameterGroup* best = nullptr;
  int best_closeness = 0;
  for (const ParameterGroup& group : table.groups) {
    const int here = closeness(group.scope, channel, question);
    if (here == 0 || group.from_bytes > question.bytes || here < best_closeness) {
      continue;
    }
    if (best == nullptr || here > best_closeness || group.from_bytes > best->from_bytes) {
      best = &group;
      best_closeness = here;
    }
  }
  return best;
}

/// One point alone stands for the same at every size.
void widen(Extrapolation& found, const ParameterCurve& curve, Bytes bytes) {
  if (curve.size() > 1) {
    found.size = std::max(found.size, distance(static_cast<double>(bytes), static_cast<double>(curve.front().bytes),
                                               static_cast<double>(curve.back().bytes)));
  }
}

/// A row's sizes count only where the transfer's second quantity is next to it.
void widen(Extrapolation& found, const ParameterSurface& surface, double Extrapolation::*quantity, double second,
           Bytes bytes) {
  if (surface.empty() || (surface.size() == 1 && surface.front().curve.size() == 1)) {
    return;
  }
  found.*quantity = std::max(found.*quantity, distance(second, surface.front().at, surface.back().at));
  auto next = std::lower_bound(surface.begin(), surface.end(), second,
                               [](const ParameterRow& row, double value) { return row.at < value; });
  next = next == surface.end() ? std::prev(next) : next;
  widen(found, next->curve, bytes);
  if (next != surface.begin() && next->at != second) {
    widen(found, std::prev(next)->curve, bytes);
  }
}

bool is_over_stride(const ModelDescriptor& model, std::string_view symbol) {
  return std::any_of(model.parameters.begin(), model.parameters.end(), [&](const ParameterDescription& parameter) {
    return parameter.over == "stride" && parameter.matches(symbol);
  });
}

/// What a surface has rows of: tau or n.
double concurrency_of(const ModelProperties& model, const TransferQuestion& question) {
  return question.concurrency * (model.counts_both_directions ? 2 : 1);
}

/// Of messages in segments a surface is asked for no more than one of them.
Bytes size_of_transfer(const ModelProperties& model, const ParameterGroup& group, Bytes bytes) {
  const auto segment = group.values.find(std::string(model.segment_symbol));
  return segment == group.values.end() ? bytes : std::min(bytes, static_cast<Bytes>(segment->second.value));
}

/// Outside of the curves and surfaces of the group that the transfer takes its parameters from.
void widen(Extrapolation& found, const ModelDescriptor& model, const ParameterGroup& group,
           const TransferQuestion& question) {
  if (!model.properties.has_curves_of_one_protocol) {
    for (const auto& [symbol, curve] : group.curves) {
      widen(found, curve, question.bytes);
    }
  }
  for (const auto& [symbol, surface] : group.surfaces) {
    if (!is_over_stride(model, symbol)) {
      widen(found, surface, &Extrapolation::concurrency, concurrency_of(model.properties, question),
            size_of_transfer(model.properties, group, question.bytes));
    } else if (question.stride > 0) {
      widen(found, surface, &Extrapolation::stride, static_cast<double>(question.stride), question.bytes);
    }
  }
}

}  // namespace

double Extrapolation::factor() const {
  return std::max({size, concurrency, stride});
}

Extrapolation extrapolation_of(const ParameterTable& table, std::string_view channel,
                               const TransferQuestion& question) {
  const ModelDescriptor& model = find_model(table.model);
  TransferQuestion asked = question;
  asked.bytes = std::max(question.bytes, model.properties.gets_data ? CellPLogPLink::kSmallest : Bytes{1});
  Extrapolation found;
  if (table.fit.points > 0) {
    found.size = distance(static_cast<double>(asked.bytes), static_cast<double>(table.fit.smallest),
                          static_cast<double>(table.fit.largest));
  }
  if (const ParameterGroup* group = find_group(table, channel, question)) {
    widen(found, model, *group, asked);
  }
  return found;
}

}  // namespace postage
