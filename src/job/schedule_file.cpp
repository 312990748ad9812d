#include "job/schedule_file.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

namespace postage {

CollectiveTree read_agreeing(const std::string& file, const std::string& collective, Rank ranks, Rank root) {
  CollectiveTree tree = read_schedule_file(file);
  if (!collective.empty() && tree.collective != parse_named_collective(collective).collective) {
    throw UsageError(fmt::format("{} holds a {}, not a {}", file, name_of(tree.collective), collective));
  }
  if (ranks != 0 && ranks != tree.request.ranks) {
    throw UsageError(fmt::format("{} is for {} ranks, but P is {}", file, tree.request.ranks, ranks));
  }
  if (root != 0 && root != tree.request.root) {
    throw UsageError(fmt::format("{} has the root {}, but --root is {}: leave it out", file, tree.request.root, root));
  }
  return tree;
}

void take_schedule(JobOptions& options) {
  if (options.algorithm != "all" || options.counts.any() || options.node_aware.is_given()) {
    throw UsageError("--schedule says what is sent to whom: leave out --algorithm, --counts, --within and --among");
  }
  CollectiveTree tree = read_agreeing(options.schedule, options.collective, options.ranks, options.root);
  const ScheduleRequest& request = tree.request;
  if (!options.sizes.empty()) {
    static_cast<void>(resized(tree, 0));
  }
  options.ranks = request.ranks;
  options.root = request.root;
  if (!request.block_bytes.empty()) {
    options.blocks = {request.block_bytes, request.element_bytes, request.ranks};
  } else if (options.sizes.empty()) {
    options.sizes = std::to_string(request.bytes);
  }
  options.tree = std::move(tree);
}

JobSchedule schedule_from_file(const JobOptions& options, Bytes bytes) {
  CollectiveTree tree = resized(*options.tree, options.blocks.empty() ? std::optional(bytes) : std::nullopt);
  if (const Bytes segment = parse_bytes(options.segment); segment > 0) {
    tree.request.segment_bytes = segment;
  }
  return {"tree", tree.request.segment_bytes, schedule_along(tree)};
}

}  // namespace postage
