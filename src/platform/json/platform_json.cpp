#include <postage/platform/platform_json.hpp>

namespace postage {
namespace {

Json to_json(const Core& c) {
  return {{"pu", c.pu}, {"socket", c.socket}, {"numa", c.numa}, {"cache", c.cache}};
}

Core read_core(const JsonField& field) {
  return {field["pu"].count<int>(), field["socket"].count<int>(), field["numa"].count<int>(),
          field["cache"].count<int>()};
}

}  // namespace

Json to_json(const Node& node) {
  Json cores = Json::array();
  for (const Core& core : node.topology.cores) {
    cores.push_back(to_json(core));
  }
  return {{"name", node.name}, {"cores", cores}};
}

Node read_node(const JsonField& field) {
  Node node{.name = field["name"].text(), .topology = {}};
  field["cores"].for_each_item([&](const JsonField& core) { node.topology.cores.push_back(read_core(core)); });
  return node;
}

Json to_json(const RankPlacement& placement) {
  return {{"node", placement.node}, {"core", placement.core}};
}

RankPlacement read_placement(const JsonField& field) {
  return {field["node"].count<int>(), field["core"].count<int>()};
}

}  // namespace postage
