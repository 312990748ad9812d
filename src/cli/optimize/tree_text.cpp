#include "cli/optimize/tree_text.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

constexpr Rank kMostPrinted = 64;

class TreePrinter {
 public:
  TreePrinter(const CollectiveTree& tree, const ExplicitTree& one, bool grows)
      : tree_(tree), children_(one.parents.size()), grows_(grows) {
    const auto add = [&](Rank rank) {
      if (const Rank parent = one.parents[static_cast<std::size_t>(rank)]; parent != -1) {
        children_[static_cast<std::size_t>(parent)].push_back(rank);
      }
    };
    for (std::size_t i = 0; i < one.parents.size(); ++i) {
      add(one.order.empty() ? static_cast<Rank>(i) : one.order[i]);
    }
    print(tree.request.root, 0);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  [[nodiscard]] Bytes bytes_of(Rank rank) const {
    const ScheduleRequest& request = tree_.request;
    if (!grows_) {
      return tree_.collective == Collective::kAllgather && request.block_bytes.empty() ? request.bytes * request.ranks
                                                                                       : request.bytes;
    }
    Bytes bytes = request.block_bytes.empty() ? request.bytes : request.block_bytes[static_cast<std::size_t>(rank)];
    for (const Rank child : children_[static_cast<std::size_t>(rank)]) {
      bytes += bytes_of(child);
    }
    return bytes;
  }

  void print(Rank rank, std::size_t depth) {
    text_ += fmt::format("{:{}}{}{}\n", "", 2 + 4 * depth, rank,
                         depth == 0 ? "" : fmt::format("  {}", format_bytes(bytes_of(rank))));
    for (const Rank child : children_[static_cast<std::size_t>(rank)]) {
      print(child, depth + 1);
    }
  }

  const CollectiveTree& tree_;
  std::vector<std::vector<Rank>> children_;
  bool grows_;
  std::string text_;
};

}  // namespace

std::string tree_text(const CollectiveTree& tree) {
  if (tree.request.ranks > kMostPrinted) {
    return "";
  }
  const TreeDirections directions = tree_directions(tree.collective);
  std::string text;
  if (directions.up) {
    text +=
        "up, the last to arrive first:\n" + TreePrinter(tree, tree.up, tree.collective != Collective::kReduce).text();
  }
  if (directions.down) {
    text += "down, the first to be sent first:\n" +
            TreePrinter(tree, tree.down, tree.collective == Collective::kScatter).text();
  }
  return text;
}

}  // namespace postage
