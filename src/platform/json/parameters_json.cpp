#include "platform/json/parameters_json.hpp"

#include "platform/json/estimates_json.hpp"
#include "platform/json/rank_sets_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace postage {
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

/// Writes groups one after the other: a curve or surface that an earlier group has as well is written once.
class GroupWriter {
 public:
  Json write(const ParameterGroup& group) {
    parameters_ = Json::object();
    for (const auto& [symbol, estimate] : group.values) {
      parameters_[symbol] = to_json(estimate);
    }
    for (const auto& [symbol, curve] : group.curves) {
      add_once(symbol, to_json(curve));
    }
    for (const auto& [symbol, surface] : group.surfaces) {
      add_once(symbol, to_json(surface));
    }
    ++index_;
    return {{"scope", to_json(group.scope)}, {"from_bytes", group.from_bytes}, {"parameters", std::move(parameters_)}};
  }

 private:
  void add_once(const std::string& symbol, Json parameter) {
    const auto [first, is_new] = first_with_.try_emplace({symbol, parameter.dump()}, index_);
    parameters_[symbol] = is_new ? std::move(parameter) : Json{{"same_as", first->second}};
  }

  std::map<std::pair<std::string, std::string>, std::size_t> first_with_;  ///< by symbol and text
  Json parameters_;
  std::size_t index_ = 0;
};

/// Copies the parameter from an earlier group.
void read_same(ParameterGroup& group, const std::string& symbol, const JsonField& field,
               const std::vector<ParameterGroup>& earlier) {
  const auto index = field["same_as"].count<std::size_t>();
  if (index < earlier.size()) {
    if (const auto curve = earlier[index].curves.find(symbol); curve != earlier[index].curves.end()) {
      group.curves.insert(*curve);
      return;
    }
    if (const auto surface = earlier[index].surfaces.find(symbol); surface != earlier[index].surfaces.end()) {
      group.surfaces.insert(*surface);
      return;
    }
  }
  throw field["same_as"].wrong(fmt::format("the index of an earlier group with a curve or surface {}", symbol));
}

void read_parameter(ParameterGroup& group, const std::string& symbol, const JsonField& field,
                    const std::vector<ParameterGroup>& earlier) {
  if (field.has("same_as")) {
    read_same(group, symbol, field, earlier);
  } else if (field.has("points")) {
    group.curves[symbol] = read_curve(field);
  } else if (field.has("rows")) {
    group.surfaces[symbol] = read_surface(field);
  } else {
    group.values[symbol] = read_estimate(field);
  }
}

ParameterGroup read_group(const JsonField& field, const std::vector<ParameterGroup>& earlier) {
  ParameterGroup group{.scope = read_scope(field["scope"]), .from_bytes = field["from_bytes"].count<Bytes>()};
  field["parameters"].for_each_member(
      [&](const std::string& symbol, const JsonField& value) { read_parameter(group, symbol, value, earlier); });
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
  // Of no points nothing is known, whatever stands beside them.
  if (field.has("held_out") && field["held_out"]["points"].count<std::size_t>() > 0) {
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
  GroupWriter writer;
  for (const ParameterGroup& group : table.groups) {
    groups.push_back(writer.write(group));
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
  field["groups"].for_each_item(
      [&](const JsonField& group) { table.groups.push_back(read_group(group, table.groups)); });
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
