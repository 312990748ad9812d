#include "report/page/brief.hpp"
#include "report/page/message_curves.hpp"
#include "report/page/page_data.hpp"

#include <postage/base/library_name.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/report/network_view.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace postage {
namespace {

Json level_data(const LevelTime& level) {
  return {{"between", level.between},   {"pairs", level.pairs},
          {"smallest", level.smallest}, {"latency", brief(level.latency)},
          {"largest", level.largest},   {"rate", level.rate ? brief(*level.rate) : Json()}};
}

/// Measured times of one channel at each size: median and range over the pairs, the interval where there is one.
Json message_data(const std::string& channel, const Platform& platform) {
  std::map<Bytes, std::vector<Estimate>> times;
  std::set<std::pair<int, int>> pairs;
  for (const MeasuredPoint& point : platform.points) {
    if (point.channel == channel && point.bytes > 0) {
      times[point.bytes].push_back(point.one_way);
      pairs.emplace(point.source, point.target);
    }
  }
  Json data{{"channel", channel},        {"pairs", pairs.size()},  {"bytes", Json::array()},
            {"measured", Json::array()}, {"lower", Json::array()}, {"upper", Json::array()}};
  for (const auto& [bytes, estimates] : times) {
    std::vector<double> values;
    Estimate range = estimates.front();
    for (const Estimate& one : estimates) {
      values.push_back(one.value);
      range.lower = std::min(range.lower, one.lower);
      range.upper = std::max(range.upper, one.upper);
    }
    data["bytes"].push_back(bytes);
    data["measured"].push_back(brief(median(values)));
    data["lower"].push_back(brief(range.lower));
    data["upper"].push_back(brief(range.upper));
  }
  return data;
}

Json messages_data(const Platform& platform) {
  Json list = Json::array();
  for (const std::string& channel : platform.channels) {
    Json one = message_data(channel, platform);
    if (!one["bytes"].empty()) {
      list.push_back(std::move(one));
    }
  }
  return list;
}

bool is_known_model(const ParameterTable& table) {
  return std::any_of(models().begin(), models().end(),
                     [&](const ModelDescriptor* model) { return model->name == table.model; });
}

}  // namespace

std::optional<UsedModel> used_model(const Platform& platform) {
  std::vector<ParameterTable> known;
  std::copy_if(platform.models.begin(), platform.models.end(), std::back_inserter(known), is_known_model);
  if (known.empty() || platform.ranks.size() < 2) {
    return std::nullopt;
  }
  const ModelChoice choice = choose_model(known, platform.held_out);
  const PlatformModel model(*choice.table, platform.channels,
                            ChannelMap(platform, Mapping::explicit_placements(platform.ranks)));
  return UsedModel{model.with_calibrations(calibrations_of(platform.held_out, model.name(), choice)), choice.reason};
}

Json platform_data(const Platform& platform) {
  const NetworkView view = network_view(platform);
  const std::optional<UsedModel> used = used_model(platform);
  ParameterRows parameters = parameter_rows(platform);
  const std::string first = platform.models.empty() ? "" : platform.models.front().model;
  Json data{{"name", platform.name},
            {"title", view.title},
            {"implementation", library_name(platform.implementation)},
            {"created", platform.created},
            {"is_virtual", platform.is_virtual},
            {"hosts", platform.nodes.size()},
            {"ranks", platform.ranks.size()},
            {"drawing", network_svg(view)},
            {"levels", Json::array()},
            {"model", used ? used->model.name() : first},
            {"reason", used ? used->reason : ""},
            {"messages", messages_data(platform)},
            {"held_out", held_out_data(platform)},
            {"best", best_algorithms(platform, used)},
            {"explanations", explanation_data(platform, used)},
            {"parameters", std::move(parameters.rows)},
            {"parameters_of_singles", parameters.of_singles}};
  data["curves"] = message_curves(platform, data["model"].text());
  for (const LevelTime& level : view.levels) {
    data["levels"].push_back(level_data(level));
  }
  return data;
}

}  // namespace postage
