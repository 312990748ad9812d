#include <postage/base/error.hpp>
#include <postage/optimize/mapping/rank_files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace postage {
namespace {

bool are_cores_by_rank(const std::vector<RankPlacement>& placements) {
  std::map<int, int> last;
  return std::ranges::all_of(placements, [&](const RankPlacement& one) {
    const auto [found, is_first] = last.try_emplace(one.node, one.core);
    const bool ascends = is_first || found->second < one.core;
    found->second = one.core;
    return ascends;
  });
}

/// Runs of ranks on one host.
std::string runs_text(const std::vector<RankPlacement>& placements, const std::vector<std::string>& hosts) {
  std::string text;
  for (std::size_t first = 0; first < placements.size();) {
    std::size_t end = first;
    while (end < placements.size() && placements[end].node == placements[first].node) {
      ++end;
    }
    text += fmt::format("{}:{}\n", hosts[static_cast<std::size_t>(placements[first].node)], end - first);
    first = end;
  }
  return text;
}

}  // namespace

RankFiles rank_files(const std::vector<RankPlacement>& placements, const std::vector<std::string>& hosts) {
  RankFiles files{.keeps_cores = are_cores_by_rank(placements)};
  for (std::size_t rank = 0; rank < placements.size(); ++rank) {
    const auto& [node, core] = placements[rank];
    if (!hosts.empty() && static_cast<std::size_t>(node) >= hosts.size()) {
      throw UsageError(fmt::format("rank {} is on node {}, but there are names of {} hosts", rank, node, hosts.size()));
    }
    files.mapping += fmt::format("{} {}\n", node, core);
    if (!hosts.empty()) {
      const std::string& host = hosts[static_cast<std::size_t>(node)];
      files.rankfile += fmt::format("rank {}={} slot={}\n", rank, host, core);
      files.hosts += host + "\n";
    }
  }
  files.hostfile = hosts.empty() ? "" : runs_text(placements, hosts);
  return files;
}

}  // namespace postage
