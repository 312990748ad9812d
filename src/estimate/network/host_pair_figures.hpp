#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

namespace postage {

/// One figure of each pair of hosts: the median over their pairs of ranks or, where none of them was measured, over
/// those of the class that they are of.
class HostPairFigures {
 public:
  /// Of a campaign that must live as long.
  explicit HostPairFigures(const CampaignData& campaign);

  /// Of two ranks of different hosts.
  void add(const PairData& pair, double figure);
  /// [host * hosts + host]; `unknown` where nothing was measured.
  [[nodiscard]] std::vector<double> medians(double unknown) const;

 private:
  [[nodiscard]] const PairStructure& structure() const { return *campaign_.structure; }
  [[nodiscard]] int host_of(int rank) const;
  /// Medians of the classes, each of the one that stands for it; `unknown` where that has none.
  [[nodiscard]] std::vector<double> medians_of_classes(double unknown) const;
  /// The class of two hosts' pairs; none where there is none.
  [[nodiscard]] std::optional<std::size_t> class_of(int a, int b) const;

  const CampaignData& campaign_;
  std::size_t hosts_;
  std::vector<std::vector<double>> by_hosts_;  ///< [host * hosts + host]
  std::vector<std::vector<double>> by_class_;
  std::map<int, int> first_rank_;  ///< by host
};

}  // namespace postage
