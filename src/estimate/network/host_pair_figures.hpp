#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <map>
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
  /// The class of two hosts' pairs; null where none was found.
  [[nodiscard]] const std::vector<double>* of_class(int a, int b, const std::vector<std::size_t>& stand_in) const;

  const CampaignData& campaign_;
  std::size_t hosts_;
  std::vector<std::vector<double>> by_hosts_;  ///< [host * hosts + host]
  std::vector<std::vector<double>> by_class_;
  std::map<int, int> first_rank_;  ///< by host
};

}  // namespace postage
