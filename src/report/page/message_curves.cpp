#include "report/page/message_curves.hpp"

#include "report/page/brief.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/base/statistics.hpp>
#include <postage/model/model.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace postage {
namespace {

constexpr std::array<double, 4> kSharing{1, 2, 4, 8};

/// Pairs of ranks measured at each size over one channel.
using PairsBySize = std::map<Bytes, std::vector<std::pair<int, int>>>;

PairsBySize pairs_by_size(const Platform& platform, const std::string& channel) {
  PairsBySize pairs;
  for (const MeasuredPoint& point : platform.points) {
    if (point.channel == channel && point.bytes > 0) {
      pairs[point.bytes].emplace_back(point.source, point.target);
    }
  }
  return pairs;
}

bool is_known(const ParameterTable& table) {
  return std::any_of(models().begin(), models().end(),
                     [&](const ModelDescriptor* model) { return model->name == table.model; });
}

/// A model at its parameters' values and at both ends of their intervals; at the values where one of them has none.
struct BoundedModel {
  Model value;
  Model lower;
  Model upper;
};

BoundedModel bounded_model(const ParameterTable& table, const std::vector<std::string>& channels) {
  const auto at = [&](Bound bound) {
    return build_model(table, channels, has_intervals(table) ? bound : Bound::kValue);
  };
  return {at(Bound::kValue), at(Bound::kLower), at(Bound::kUpper)};
}

/// Median over the pairs of what one message costs.
Seconds typical_cost(const Model& model, const std::vector<std::pair<int, int>>& pairs, TransferQuestion question) {
  std::vector<double> times;
  for (const auto& [source, target] : pairs) {
    question.source = source;
    question.target = target;
    times.push_back(cost(model, question).total());
  }
  return median(times);
}

Json curve_of(const BoundedModel& model, const PairsBySize& pairs, ChannelId channel, double sharing) {
  Json curve{{"sharing", sharing},
             {"bytes", Json::array()},
             {"seconds", Json::array()},
             {"lower", Json::array()},
             {"upper", Json::array()}};
  for (const auto& [bytes, own] : pairs) {
    const TransferQuestion question{.channel = channel,
                                    .bytes = bytes,
                                    .concurrency = sharing,
                                    .sending_concurrency = sharing,
                                    .receiving_concurrency = sharing};
    curve["bytes"].push_back(bytes);
    curve["seconds"].push_back(brief(typical_cost(model.value, own, question)));
    curve["lower"].push_back(brief(typical_cost(model.lower, own, question)));
    curve["upper"].push_back(brief(typical_cost(model.upper, own, question)));
  }
  return curve;
}

Json curves_of(const BoundedModel& model, const PairsBySize& pairs, ChannelId channel, bool with_sharing) {
  Json curves = Json::array();
  for (const double sharing : kSharing) {
    if (sharing == 1 || (with_sharing && feels_contention(model.value))) {
      curves.push_back(curve_of(model, pairs, channel, sharing));
    }
  }
  return curves;
}

/// The same, or why there are none.
Json curves_or_reason(const BoundedModel& model, const PairsBySize& pairs, ChannelId channel, bool with_sharing) {
  try {
    return curves_of(model, pairs, channel, with_sharing);
  } catch (const Error& error) {
    return Json::array({{{"missing", error.what()}}});
  }
}

}  // namespace

Json message_curves(const Platform& platform, std::string_view chosen) {
  Json all = Json::array();
  for (const ParameterTable& table : platform.models) {
    if (!is_known(table)) {
      continue;
    }
    const BoundedModel model = bounded_model(table, platform.channels);
    for (std::size_t channel = 0; channel < platform.channels.size(); ++channel) {
      const PairsBySize pairs = pairs_by_size(platform, platform.channels[channel]);
      if (pairs.empty()) {
        continue;
      }
      for (Json& curve : curves_or_reason(model, pairs, static_cast<ChannelId>(channel), table.model == chosen)) {
        curve["model"] = table.model;
        curve["channel"] = platform.channels[channel];
        all.push_back(std::move(curve));
      }
    }
  }
  return all;
}

}  // namespace postage
