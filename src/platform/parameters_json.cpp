#include "platform/parameters_json.hpp"

#include "platform/rank_sets_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

Json to_json(const Estimate& e) {
  return {{"value", e.value}, {"lower", e.lower}, {"upper", e.upper}};
}

Estimate read_estimate(const JsonField& field) {
  return {field["value"].number(), field["lower"].bound(-kInfinity), field["upper"].bound(kInfinity)};
}

namespace {

Json to_json(const ParameterScope& scope) {
  if (scope.is_processor()) {
    Json value{{"processor", scope.processor}};
    if (!scope.channel.empty()) {
      value["channel"] = scope.channel;
    }
    return value;
  }
  return scope.is_pair() ? Json{{"pair", {scope.first, scope.second}}} : Json{{"channel", scope.channel}};
}

ParameterScope read_scope(const JsonField& field) {
  if (field.has("processor")) {
    return {.channel = field.has("channel") ? field["channel"].text() : "",
            .processor = field["processor"].count<int>()};
  }
  if (!field.has("pair")) {
    return {.channel = field["channel"].text()};
  }
  std::vector<int> pair;
  field["pair"].for_each_item([&](const JsonField& rank) { pair.push_back(rank.count<int>()); });
  if (pair.size() != 2 || pair[0] >= pair[1]) {
    throw field["pair"].wrong("two ranks, the lower one first");
  }
  return {.channel = "", .first = pair[0], .second = pair[1]};
}

Json to_json(const ParameterCurve& curve) {
  Json points = Json::array();
  for (const ParameterPoint& point : curve) {
    Json value = to_json(point.estimate);
    value["bytes"] = point.bytes;
    points.push_back(std::move(value));
  }
  return {{"points", std::move(points)}};
}

ParameterCurve read_curve(const JsonField& field) {
  ParameterCurve curve;
  field["points"].for_each_item([&](const JsonField& point) {
    curve.push_back({point["bytes"].count<Bytes>(), read_estimate(point)});
  });
  if (curve.empty()) {
    throw field["points"].wrong("at least one point");
  }
  return curve;
}

Json to_json(const ParameterSurface& surface) {
  Json rows = Json::array();
  for (const ParameterRow& row : surface) {
    Json value = to_json(row.curve);
    value["at"] = row.at;
    rows.push_back(std::move(value));
  }
  return {{"rows", std::move(rows)}};
}

ParameterSurface read_surface(const JsonField& field) {
  ParameterSurface surface;
  field["rows"].for_each_item([&](const JsonField& row) { surface.push_back({row["at"].number(), read_curve(row)}); });
  if (surface.empty()) {
    throw field["rows"].wrong("at least one row");
  }
  return surface;
}

Json to_json(const ParameterGroup& group) {
  Json parameters = Json::object();
  const auto add = [&](const auto& named) {
    for (const auto& [symbol, parameter] : named) {
      parameters[symbol] = to_json(parameter);
    }
  };
  add(group.values);
  add(group.curves);
  add(group.surfaces);
  return {{"scope", to_json(group.scope)}, {"from_bytes", group.from_bytes}, {"parameters", std::move(parameters)}};
}

void read_parameter(ParameterGroup& group, const std::string& symbol, const JsonField& field) {
  if (field.has("points")) {
    group.curves[symbol] = read_curve(field);
  } else if (field.has("rows")) {
    group.surfaces[symbol] = read_surface(field);
  } else {
    group.values[symbol] = read_estimate(field);
  }
}

ParameterGroup read_group(const JsonField& field) {
  ParameterGroup group{.scope = read_scope(field["scope"]), .from_bytes = field["from_bytes"].count<Bytes>()};
  field["parameters"].for_each_member(
      [&](const std::string& symbol, const JsonField& value) { read_parameter(group, symbol, value); });
  return group;
}

Json to_json(const FitQuality& fit) {
  Json value{{"points", fit.points},
             {"median_relative_residual", fit.median_relative_residual},
             {"largest_relative_residual", fit.largest_relative_residual},
             {"smallest_bytes", fit.smallest},
             {"largest_bytes", fit.largest}};
  if (fit.held_out_points > 0) {
    value["held_out"] = {{"points", fit.held_out_points},
                         {"median_relative_residual", fit.held_out_median_relative_residual},
                         {"largest_relative_residual", fit.held_out_largest_relative_residual},
                         {"percentile95_relative_residual", fit.held_out_percentile95_relative_residual}};
  }
  return value;
}

FitQuality read_fit(const JsonField& field) {
  FitQuality fit{field["points"].count<std::size_t>(), field["median_relative_residual"].number(),
                 field["largest_relative_residual"].number(), field["smallest_bytes"].count<Bytes>(),
                 field["largest_bytes"].count<Bytes>()};
  if (field.has("held_out")) {
    const JsonField held_out = field["held_out"];
    fit.held_out_points = held_out["points"].count<std::size_t>();
    fit.held_out_median_relative_residual = held_out["median_relative_residual"].number();
    fit.held_out_largest_relative_residual = held_out["largest_relative_residual"].number();
    if (held_out.has("percentile95_relative_residual")) {
      fit.held_out_percentile95_relative_residual = held_out["percentile95_relative_residual"].number();
    }
  }
  return fit;
}

/// "0-2 0-3", since there may be thousands.
std::string words_of(const std::vector<std::pair<int, int>>& pairs) {
  std::string words;
  for (const auto& [first, second] : pairs) {
    words += fmt::format("{}{}-{}", words.empty() ? "" : " ", first, second);
  }
  return words;
}

Json to_json(const PairClass& alike) {
  Json value{{"pair", {alike.first.first, alike.first.second}}, {"alike", words_of(alike.others)}};
  if (!alike.channel.empty()) {
    value["channel"] = alike.channel;
    value["groups"] = alike.is_rest ? "rest" : words_of(alike.of_groups);
  }
  return value;
}

/// Throws Error where one is no pair of numbers, the first one at most so much less than the second as `least` says.
std::vector<std::pair<int, int>> read_pair_words(const JsonField& field, int least, const char* what) {
  std::vector<std::pair<int, int>> pairs;
  std::istringstream words(field.text());
  for (std::string word; words >> word;) {
    std::istringstream pair(word);
    int low = -1;
    int high = -1;
    char dash = 0;
    if (!(pair >> low >> dash >> high) || dash != '-' || low < 0 || high - low < least || !pair.eof()) {
      throw field.wrong(what);
    }
    pairs.emplace_back(low, high);
  }
  return pairs;
}

PairClass read_class(const JsonField& field) {
  const ParameterScope first = read_scope(field);
  PairClass alike{{first.first, first.second}, {}};
  alike.others = read_pair_words(field["alike"], 1, "pairs of ranks, the lower one first, like 0-2 0-3");
  if (field.has("groups")) {
    alike.channel = field["channel"].text();
    alike.is_rest = field["groups"].text() == "rest";
    if (!alike.is_rest) {
      alike.of_groups =
          read_pair_words(field["groups"], 0, "rest, or pairs of groups, the lower one first, like 0-0 0-2");
    }
  }
  return alike;
}

/// Throws Error where a class names a group that there is not.
void check_groups(const ParameterTable& table, const JsonField& field) {
  const int count =
      table.group_of_rank.empty() ? 0 : 1 + *std::max_element(table.group_of_rank.begin(), table.group_of_rank.end());
  for (const PairClass& alike : table.classes) {
    for (const auto& [low, high] : alike.of_groups) {
      if (high >= count) {
        throw field["classes"].wrong(
            fmt::format("groups that exist; there are {}, and one is {}-{}", count, low, high));
      }
    }
  }
}

}  // namespace

Json to_json(const ParameterTable& table) {
  Json groups = Json::array();
  for (const ParameterGroup& group : table.groups) {
    groups.push_back(to_json(group));
  }
  Json value{{"model", table.model}, {"groups", groups}, {"fit", to_json(table.fit)}};
  if (!table.classes.empty()) {
    Json classes = Json::array();
    for (const PairClass& alike : table.classes) {
      classes.push_back(to_json(alike));
    }
    value["classes"] = std::move(classes);
  }
  if (!table.group_of_rank.empty()) {
    value["rank_groups"] = rank_sets_to_json(table.group_of_rank);
  }
  if (!table.kind_of_rank.empty()) {
    value["rank_kinds"] = rank_sets_to_json(table.kind_of_rank);
  }
  return value;
}

ParameterTable read_table(const JsonField& field) {
  ParameterTable table{.model = field["model"].text(), .groups = {}, .fit = read_fit(field["fit"])};
  field["groups"].for_each_item([&](const JsonField& group) { table.groups.push_back(read_group(group)); });
  if (field.has("classes")) {
    field["classes"].for_each_item([&](const JsonField& alike) { table.classes.push_back(read_class(alike)); });
  }
  if (field.has("rank_groups")) {
    table.group_of_rank = read_rank_sets(field["rank_groups"]);
  }
  if (field.has("rank_kinds")) {
    table.kind_of_rank = read_rank_sets(field["rank_kinds"]);
  }
  check_groups(table, field);
  return table;
}

}  // namespace postage
