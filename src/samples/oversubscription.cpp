#include <postage/samples/oversubscription.hpp>

#include <fmt/format.h>

#include <vector>

namespace postage {

std::string tell_oversubscribed(std::span<const Node> nodes, std::span<const RankPlacement> ranks) {
  std::vector<std::size_t> counts(nodes.size());
  for (const RankPlacement& rank : ranks) {
    ++counts[static_cast<std::size_t>(rank.node)];
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t cores = nodes[i].topology.cores.size();
    if (counts[i] > cores) {
      return fmt::format(
          "{} runs {} ranks on {} cores: ranks that share a core wait for the scheduler, which no model "
          "predicts, so that predictions for this platform are not to be relied on",
          nodes[i].name, counts[i], cores);
    }
  }
  return "";
}

}  // namespace postage
