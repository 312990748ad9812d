#include "base/json_fields.hpp"

#include <postage/base/files.hpp>
#include <postage/platform/platform.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace postage {
namespace {

using nlohmann::json;

// A channel's index is a ChannelId, one byte.
constexpr std::size_t kMostChannels = 256;

json write(const Estimate& estimate) {
  return {{"value", json_number(estimate.value)},
          {"lower", json_number(estimate.lower)},
          {"upper", json_number(estimate.upper)}};
}

json write(const Node& node) {
  json cores = json::array();
  for (const Core& core : node.topology.cores) {
    cores.push_back({{"pu", core.pu}, {"socket", core.socket}, {"numa", core.numa}, {"cache", core.cache}});
  }
  return {{"name", node.name}, {"cores", std::move(cores)}};
}

json write(const RankPlace& place) {
  return {{"node", place.node}, {"core", place.core}};
}

json write(const ParameterGroup& group) {
  json values = json::object();
  for (const auto& [symbol, estimate] : group.values) {
    values[symbol] = write(estimate);
  }
  json result = {{"from_bytes", group.from_bytes}, {"values", std::move(values)}};
  if (group.scope.is_pair()) {
    result["pair"] = {group.scope.first, group.scope.second};
  } else {
    result["channel"] = group.scope.channel;
  }
  return result;
}

json write(const ParameterTable& table);
json write(const MeasuredPoint& point);

template <typename Value>
json write_all(const std::vector<Value>& values) {
  json result = json::array();
  for (const Value& value : values) {
    result.push_back(write(value));
  }
  return result;
}

json write(const ParameterTable& table) {
  return {{"model", table.model},
          {"groups", write_all(table.groups)},
          {"fit",
           {{"points", table.fit.points},
            {"median_relative_residual", json_number(table.fit.median_relative_residual)},
            {"largest_relative_residual", json_number(table.fit.largest_relative_residual)},
            {"smallest", table.fit.smallest},
            {"largest", table.fit.largest}}}};
}

json write(const MeasuredPoint& point) {
  return {{"source", point.source},  {"target", point.target},          {"channel", point.channel},
          {"bytes", point.bytes},    {"one_way", write(point.one_way)}, {"repetitions", point.repetitions},
          {"precise", point.precise}};
}

template <typename Read>
auto read_all(const JsonField& array, Read read) {
  std::vector<decltype(read(array))> values;
  for (const JsonField& element : array.elements()) {
    values.push_back(read(element));
  }
  return values;
}

Estimate read_estimate(const JsonField& field) {
  field.allow_only({"value", "lower", "upper"});
  const Estimate estimate{field.at("value").number(), field.at("lower").number(), field.at("upper").number()};
  if (estimate.lower > estimate.upper) {
    field.at("lower").must_be(fmt::format("at most \"upper\", {}", estimate.upper));
  }
  return estimate;
}

Core read_core(const JsonField& field) {
  field.allow_only({"pu", "socket", "numa", "cache"});
  return {.pu = field.at("pu").integer(0),
          .socket = field.at("socket").integer(0),
          .numa = field.at("numa").integer(0),
          .cache = field.at("cache").integer(0)};
}

Node read_node(const JsonField& field) {
  field.allow_only({"name", "cores"});
  return {.name = field.at("name").text(), .topology = {.cores = read_all(field.at("cores"), read_core)}};
}

// Reads what refers to the channels, nodes and ranks read before it.
class Reader {
 public:
  explicit Reader(Platform& platform) : platform_(platform) {}

  [[nodiscard]] std::vector<std::string> channels(const JsonField& field) const {
    const auto names = field.elements();
    if (names.size() > kMostChannels) {
      field.must_be(fmt::format("of at most {} names", kMostChannels));
    }
    std::set<std::string> seen;
    for (const JsonField& name : names) {
      if (!seen.insert(name.text()).second) {
        name.must_be("a name that no channel before it has");
      }
    }
    return read_all(field, [](const JsonField& name) { return name.text(); });
  }

  [[nodiscard]] RankPlace rank(const JsonField& field) const {
    field.allow_only({"node", "core"});
    const int node = index(field.at("node"), platform_.nodes.size(), "nodes");
    const auto& cores = platform_.nodes[static_cast<std::size_t>(node)].topology.cores;
    return {.node = node, .core = index(field.at("core"), cores.size(), "the node's cores")};
  }

  [[nodiscard]] ParameterTable model(const JsonField& field) const {
    field.allow_only({"model", "groups", "fit"});
    return {.model = field.at("model").text(),
            .groups = read_all(field.at("groups"), [this](const JsonField& group) { return parameters(group); }),
            .fit = fit(field.at("fit"))};
  }

  [[nodiscard]] MeasuredPoint point(const JsonField& field) const {
    field.allow_only({"source", "target", "channel", "bytes", "one_way", "repetitions", "precise"});
    return {.source = rank_index(field.at("source")),
            .target = rank_index(field.at("target")),
            .channel = channel(field.at("channel")),
            .bytes = field.at("bytes").integer(Bytes{0}),
            .one_way = read_estimate(field.at("one_way")),
            .repetitions = field.at("repetitions").integer(std::size_t{0}),
            .precise = field.at("precise").boolean()};
  }

 private:
  [[nodiscard]] static int index(const JsonField& field, std::size_t count, std::string_view of_what) {
    const int value = field.integer(0);
    if (static_cast<std::size_t>(value) >= count) {
      field.must_be(fmt::format("an index into {}, of which there are {}", of_what, count));
    }
    return value;
  }

  [[nodiscard]] int rank_index(const JsonField& field) const { return index(field, platform_.ranks.size(), "ranks"); }

  [[nodiscard]] std::string channel(const JsonField& field) const {
    std::string name = field.text();
    if (std::ranges::find(platform_.channels, name) == platform_.channels.end()) {
      field.must_be(fmt::format("one of the platform's channels, {}", fmt::join(platform_.channels, ", ")));
    }
    return name;
  }

  [[nodiscard]] ParameterScope scope(const JsonField& group) const {
    const auto pair = group.find("pair");
    if (!pair) {
      return {.channel = channel(group.at("channel"))};
    }
    if (const auto both = group.find("channel")) {
      both->must_be("left out, because the group has a pair");
    }
    const auto ends = pair->elements();
    if (ends.size() != 2 || rank_index(ends[0]) >= rank_index(ends[1])) {
      pair->must_be("two ranks, the smaller one first");
    }
    return {.channel = "", .first = rank_index(ends[0]), .second = rank_index(ends[1])};
  }

  [[nodiscard]] ParameterGroup parameters(const JsonField& field) const {
    field.allow_only({"channel", "pair", "from_bytes", "values"});
    ParameterGroup group{.scope = scope(field), .from_bytes = field.at("from_bytes").integer(Bytes{0}), .values = {}};
    for (const auto& [symbol, estimate] : field.at("values").members()) {
      group.values.emplace(symbol, read_estimate(estimate));
    }
    return group;
  }

  [[nodiscard]] static FitQuality fit(const JsonField& field) {
    field.allow_only({"points", "median_relative_residual", "largest_relative_residual", "smallest", "largest"});
    return {.points = field.at("points").integer(std::size_t{0}),
            .median_relative_residual = field.at("median_relative_residual").number(),
            .largest_relative_residual = field.at("largest_relative_residual").number(),
            .smallest = field.at("smallest").integer(Bytes{0}),
            .largest = field.at("largest").integer(Bytes{0})};
  }

  const Platform& platform_;
};

}  // namespace

json to_json(const Platform& platform) {
  return {{"format", kPlatformFormat},
          {"version", kPlatformVersion},
          {"name", platform.name},
          {"implementation", platform.implementation},
          {"created", platform.created},
          {"is_virtual", platform.is_virtual},
          {"channels", platform.channels},
          {"nodes", write_all(platform.nodes)},
          {"ranks", write_all(platform.ranks)},
          {"models", write_all(platform.models)},
          {"points", write_all(platform.points)}};
}

Platform platform_from_json(const json& value, const std::filesystem::path& source) {
  check_envelope(value, kPlatformFormat, kPlatformVersion, source);
  const JsonField file(value, source);
  file.allow_only({"format", "version", "name", "implementation", "created", "is_virtual", "channels", "nodes", "ranks",
                   "models", "points"});
  Platform platform;
  const Reader reader(platform);
  platform.name = file.at("name").text();
  platform.implementation = file.at("implementation").text();
  platform.created = file.at("created").text();
  platform.is_virtual = file.at("is_virtual").boolean();
  platform.channels = reader.channels(file.at("channels"));
  platform.nodes = read_all(file.at("nodes"), read_node);
  platform.ranks = read_all(file.at("ranks"), [&](const JsonField& rank) { return reader.rank(rank); });
  platform.models = read_all(file.at("models"), [&](const JsonField& model) { return reader.model(model); });
  platform.points = read_all(file.at("points"), [&](const JsonField& point) { return reader.point(point); });
  return platform;
}

Platform read_platform(const std::filesystem::path& path) {
  return platform_from_json(read_json(path), path);
}

void write_platform(const std::filesystem::path& path, const Platform& platform) {
  const json value = to_json(platform);
  static_cast<void>(platform_from_json(value, path));
  write_json(path, value);
}

}  // namespace postage
