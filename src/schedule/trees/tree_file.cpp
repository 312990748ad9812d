#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/schedule/check/dataflow.hpp>
#include <postage/schedule/tree_file.hpp>

#include <fmt/format.h>

#include <limits>

namespace postage {
namespace {

constexpr const char* kScheduleFormat = "postage-schedule";
constexpr int kScheduleVersion = 1;
constexpr std::int64_t kMostRanks = std::numeric_limits<Rank>::max();

Json json_of_tree(const ExplicitTree& tree) {
  Json json{{"parents", Json(tree.parents)}};
  if (!tree.order.empty()) {
    json["order"] = Json(tree.order);
  }
  if (!tree.one_by_one.empty()) {
    json["one_by_one"] = Json(tree.one_by_one);
  }
  return json;
}

std::vector<Rank> ranks_in(const JsonField& list) {
  std::vector<Rank> ranks;
  list.for_each_item([&](const JsonField& item) { ranks.push_back(static_cast<Rank>(item.integer(-1, kMostRanks))); });
  return ranks;
}

ExplicitTree tree_in(const JsonField& field) {
  return {.parents = ranks_in(field["parents"]),
          .order = field.has("order") ? ranks_in(field["order"]) : std::vector<Rank>{},
          .one_by_one = field.has("one_by_one") ? ranks_in(field["one_by_one"]) : std::vector<Rank>{}};
}

/// What `read` returns; mistakes that do not name the file get its name.
template <typename Read>
auto naming(const std::filesystem::path& path, const Read& read) {
  try {
    return read();
  } catch (const UsageError& mistake) {
    throw UsageError(fmt::format("{}: {}", path.string(), mistake.what()));
  }
}

CollectiveTree tree_in_file(const JsonField& whole, const std::filesystem::path& path) {
  const std::string collective = whole["collective"].text();
  CollectiveTree tree{.collective = naming(path, [&] { return parse_collective(collective); })};
  const TreeDirections directions = naming(path, [&] { return tree_directions(tree.collective); });
  ScheduleRequest& request = tree.request;
  request.ranks = static_cast<Rank>(whole["ranks"].integer(1, kMostRanks));
  request.root = static_cast<Rank>(whole["root"].integer(0, kMostRanks));
  request.element_bytes = whole["element_bytes"].count<Bytes>();
  request.segment_bytes = whole["segment_bytes"].count<Bytes>();
  if (whole.has("block_bytes")) {
    whole["block_bytes"].for_each_item(
        [&](const JsonField& item) { request.block_bytes.push_back(item.count<Bytes>()); });
    for (const Bytes bytes : request.block_bytes) {
      if (bytes > std::numeric_limits<Bytes>::max() - request.bytes) {
        throw UsageError(
            fmt::format("{}: the sizes in block_bytes are together more bytes than can be counted", path.string()));
      }
      request.bytes += bytes;
    }
  } else {
    request.bytes = whole["bytes"].count<Bytes>();
  }
  tree.up = directions.up ? tree_in(whole["up"]) : ExplicitTree{};
  tree.down = directions.down ? tree_in(whole["down"]) : ExplicitTree{};
  return tree;
}

}  // namespace

bool is_schedule_file(std::string_view name) {
  return name.ends_with(".json");
}

void write_schedule_file(const std::filesystem::path& path, const CollectiveTree& tree) {
  const ScheduleRequest& request = tree.request;
  Json whole{{"format", kScheduleFormat},
             {"version", kScheduleVersion},
             {"collective", name_of(tree.collective)},
             {"ranks", request.ranks},
             {"root", request.root},
             {"element_bytes", request.element_bytes},
             {"segment_bytes", request.segment_bytes}};
  if (request.block_bytes.empty()) {
    whole["bytes"] = request.bytes;
  } else {
    whole["block_bytes"] = Json(request.block_bytes);
  }
  const TreeDirections directions = tree_directions(tree.collective);
  if (directions.up) {
    whole["up"] = json_of_tree(tree.up);
  }
  if (directions.down) {
    whole["down"] = json_of_tree(tree.down);
  }
  write_json(path, whole);
}

CollectiveTree read_schedule_file(const std::filesystem::path& path) {
  return schedule_from_json(read_json(path), path);
}

CollectiveTree schedule_from_json(const Json& json, const std::filesystem::path& path) {
  check_envelope(json, kScheduleFormat, kScheduleVersion, path);
  CollectiveTree tree = tree_in_file(JsonField(json, path), path);
  const auto mistake = naming(path, [&] { return find_dataflow_mistake(schedule_along(tree), false); });
  if (mistake) {
    throw UsageError(fmt::format("{}: {}", path.string(), *mistake));
  }
  return tree;
}

CollectiveTree resized(CollectiveTree tree, std::optional<Bytes> bytes) {
  if (bytes && !tree.request.block_bytes.empty()) {
    throw UsageError("the schedule file says how large each block is: leave out the size");
  }
  tree.request.bytes = bytes.value_or(tree.request.bytes);
  return tree;
}

}  // namespace postage
