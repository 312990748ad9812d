#include "tuning/emit/mpich/tree.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

void render_into(std::string& text, const MpichNode& node, std::size_t depth) {
  if (node.members.empty()) {
    text += "{}";
    return;
  }
  const bool is_leaf = node.members.size() == 1 && node.members.front().second.members.empty();
  const std::string indent(is_leaf ? 0 : 2 * (depth + 1), ' ');
  const char* const newline = is_leaf ? "" : "\n";
  text += "{";
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    text += fmt::format("{}{}\"{}\": ", i == 0 ? newline : ",\n", indent, node.members[i].first);
    render_into(text, node.members[i].second, depth + 1);
  }
  text += fmt::format("{}{:{}}}}", newline, "", is_leaf ? 0 : 2 * depth);
}

}  // namespace

MpichNode mpich_leaf(std::string_view name, const std::vector<std::string>& parameters) {
  MpichNode below;
  for (const std::string& parameter : parameters) {
    below.members.emplace_back(parameter, MpichNode{});
  }
  MpichNode leaf;
  leaf.members.emplace_back("algorithm=MPIR_" + std::string(name), std::move(below));
  return leaf;
}

MpichNode mpich_chain(std::vector<std::pair<std::string, MpichNode>> members) {
  return {std::move(members)};
}

std::string render(const MpichNode& root) {
  std::string text;
  render_into(text, root, 0);
  return text + "\n";
}

}  // namespace postage
