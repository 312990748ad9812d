#pragma once

#include <postage/base/json.hpp>
#include <postage/schedule/patterns/explicit_tree.hpp>

#include <filesystem>
#include <optional>
#include <string_view>

namespace postage {

/// A collective along trees of any form: what a schedule file holds.
struct CollectiveTree {
  Collective collective = Collective::kBcast;
  /// P, root, sizes and segments. An allgather's root is that of its trees.
  ScheduleRequest request{};
  /// Towards the root: of reduce, gather and allgather.
  ExplicitTree up{};
  /// Away from it: of bcast, scatter and allgather.
  ExplicitTree down{};
};

/// Which of the two trees a collective has: of allgather both. Throws UsageError for those that have none, listing the
/// others.
struct TreeDirections {
  bool up = false;
  bool down = false;
};
[[nodiscard]] TreeDirections tree_directions(Collective collective);

/// Throws UsageError for collectives without trees, and invalid ranks, roots, sizes and block sizes.
void check_tree_request(Collective collective, const ScheduleRequest& request);

/// The schedule, named "tree". Throws UsageError where a tree is none of all ranks, or the request is invalid.
[[nodiscard]] Schedule schedule_along(const CollectiveTree& tree);

/// True for names of schedule files, which end in ".json", where an algorithm's name is expected.
[[nodiscard]] bool is_schedule_file(std::string_view name);

/// The envelope `postage-schedule`: see docs/files.md. Writes atomically.
void write_schedule_file(const std::filesystem::path& path, const CollectiveTree& tree);

/// Reads one, and proves by its data flow (find_dataflow_mistake) that it is the collective that it says. Throws Error
/// where the file or a field is invalid, and UsageError, with the file's name, where its tree is none.
[[nodiscard]] CollectiveTree read_schedule_file(const std::filesystem::path& path);
/// The same of a file's content; `path` is what mistakes name.
[[nodiscard]] CollectiveTree schedule_from_json(const Json& json, const std::filesystem::path& path);

/// The same tree for equal blocks, or a vector, of so many bytes; the file's own size without any. Throws UsageError
/// where its blocks have sizes of their own.
[[nodiscard]] CollectiveTree resized(CollectiveTree tree, std::optional<Bytes> bytes);

}  // namespace postage
