#include <postage/report/network_view.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

std::string line_of(const NetworkBox& box) {
  std::string line = describe(box);
  if (const std::string names = names_of(box); !names.empty()) {
    line += (box.hosts.empty() ? ": " : ", ") + names;
  }
  for (std::size_t i = 0; i < box.facts.size(); ++i) {
    line += (i == 0 ? "; " : ", ") + box.facts[i];
  }
  return line;
}

void add_lines(const std::vector<NetworkBox>& boxes, const std::string& indent, std::string& text) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const bool is_last = i + 1 == boxes.size();
    text += fmt::format("{}{} {}\n", indent, is_last ? "└─" : "├─", line_of(boxes[i]));
    add_lines(boxes[i].parts, indent + (is_last ? "   " : "│  "), text);
  }
}

Json json_of(const Estimate& estimate) {
  return {{"value", estimate.value}, {"lower", estimate.lower}, {"upper", estimate.upper}};
}

Json json_of(const NetworkBox& box) {
  Json value{{"kind", box.kind}, {"count", box.count}, {"facts", box.facts}, {"parts", Json::array()}};
  if (!box.names.empty()) {
    value["names"] = box.names;
  }
  if (!box.hosts.empty()) {
    value["hosts"] = box.hosts;
  }
  if (box.bandwidth > 0) {
    value["bandwidth"] = box.bandwidth;
  }
  for (const NetworkBox& part : box.parts) {
    value["parts"].push_back(json_of(part));
  }
  return value;
}

Json json_of(const LevelTime& level) {
  Json value{{"between", level.between},
             {"pairs", level.pairs},
             {"smallest_bytes", level.smallest},
             {"latency", json_of(level.latency)}};
  if (level.rate) {
    value["largest_bytes"] = level.largest;
    value["rate"] = json_of(*level.rate);
  }
  return value;
}

}  // namespace

std::string network_text(const NetworkView& view) {
  std::string text = fmt::format("{}\n{}", view.title, view.core);
  for (std::size_t i = 0; i < view.facts.size(); ++i) {
    text += (i == 0 ? "; " : ", ") + view.facts[i];
  }
  text += "\n";
  add_lines(view.parts, "", text);
  return text;
}

Json to_json(const NetworkView& view) {
  Json value{{"title", view.title},
             {"network", view.core},
             {"facts", view.facts},
             {"parts", Json::array()},
             {"levels", Json::array()}};
  for (const NetworkBox& part : view.parts) {
    value["parts"].push_back(json_of(part));
  }
  for (const LevelTime& level : view.levels) {
    value["levels"].push_back(json_of(level));
  }
  if (view.torus) {
    value["torus"] = view.torus->lengths;
  }
  return value;
}

}  // namespace postage
