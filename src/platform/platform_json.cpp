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

Json to_json(const MeasuredThresholds& measured) {
  const ProtocolThresholds& sizes = measured.thresholds;
  return {{"channel", measured.channel},
          {"eager", sizes.eager},
          {"single_copy", sizes.single_copy},
          {"joint_copy", sizes.joint_copy},
          {"skewed_single_copy", sizes.skewed_single_copy},
          {"exchange", sizes.exchange}};
}

MeasuredThresholds read_thresholds(const JsonField& field) {
  // Files of before say nothing of exchanges.
  const Bytes exchange = field.has("exchange") ? field["exchange"].count<Bytes>() : ProtocolThresholds::kNever;
  return {.channel = field["channel"].text(),
          .thresholds = {.eager = field["eager"].count<Bytes>(),
                         .single_copy = field["single_copy"].count<Bytes>(),
                         .joint_copy = field["joint_copy"].count<Bytes>(),
                         .skewed_single_copy = field["skewed_single_copy"].count<Bytes>(),
                         .exchange = exchange}};
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

void add_thresholds(Json& file, const std::vector<MeasuredThresholds>& thresholds) {
  for (const MeasuredThresholds& measured : thresholds) {
    file["channel_thresholds"].push_back(to_json(measured));
  }
}

std::vector<MeasuredThresholds> read_all_thresholds(const JsonField& file) {
  std::vector<MeasuredThresholds> thresholds;
  if (file.has("channel_thresholds")) {
    file["channel_thresholds"].for_each_item(
        [&](const JsonField& measured) { thresholds.push_back(read_thresholds(measured)); });
  }
  return thresholds;
}

}  // namespace postage
