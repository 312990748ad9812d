#include "estimate/network/host_pair_figures.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>

namespace postage {

HostPairFigures::HostPairFigures(const CampaignData& campaign)
    : campaign_(campaign),
      hosts_(campaign.samples.nodes.size()),
      by_hosts_(hosts_ * hosts_),
      by_class_(structure().classes.size()) {
  const std::vector<RankPlacement>& ranks = campaign.samples.ranks;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    first_rank_.try_emplace(ranks[rank].node, static_cast<int>(rank));
  }
}

int HostPairFigures::host_of(int rank) const {
  return campaign_.samples.ranks[static_cast<std::size_t>(rank)].node;
}

void HostPairFigures::add(const PairData& pair, double figure) {
  const auto a = static_cast<std::size_t>(host_of(pair.first));
  const auto b = static_cast<std::size_t>(host_of(pair.second));
  by_hosts_[a * hosts_ + b].push_back(figure);
  by_hosts_[b * hosts_ + a].push_back(figure);
  if (!structure().empty()) {
    by_class_[structure().class_of(pair.channel, pair.first, pair.second)].push_back(figure);
  }
}

std::optional<std::size_t> HostPairFigures::class_of(int a, int b) const {
  const auto group = [&](int host) { return structure().group_of[static_cast<std::size_t>(first_rank_.at(host))]; };
  const auto [low, high] = std::minmax({group(a), group(b)});  // by value: they are no objects
  const auto found = structure().class_of_groups.find({kInterNode, low, high});
  return found == structure().class_of_groups.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> HostPairFigures::medians_of_classes(double unknown) const {
  std::vector<bool> is_measured;
  is_measured.reserve(by_class_.size());
  for (const std::vector<double>& one : by_class_) {
    is_measured.push_back(!one.empty());
  }
  std::vector<double> medians;
  medians.reserve(by_class_.size());
  for (const std::size_t stand_in : stand_ins(structure(), is_measured)) {
    medians.push_back(by_class_[stand_in].empty() ? unknown : median(by_class_[stand_in]));
  }
  return medians;
}

std::vector<double> HostPairFigures::medians(double unknown) const {
  const std::vector<double> of_classes = medians_of_classes(unknown);
  std::vector<double> figures(by_hosts_.size(), unknown);
  const auto hosts = static_cast<int>(hosts_);
  for (int a = 0; a < hosts; ++a) {
    for (int b = 0; b < hosts; ++b) {
      const std::size_t i = static_cast<std::size_t>(a) * hosts_ + static_cast<std::size_t>(b);
      if (!by_hosts_[i].empty()) {
        figures[i] = median(by_hosts_[i]);
      } else if (a != b && !structure().empty()) {
        const std::optional<std::size_t> own = class_of(a, b);
        figures[i] = own ? of_classes[*own] : unknown;
      }
    }
  }
  return figures;
}

}  // namespace postage
