#pragma once

#include <postage/estimate/estimator.hpp>
#include <postage/model/model.hpp>

#include <memory>

namespace postage {

/// Says how well parameters predict the roundtrips of a campaign, those that they were estimated from and those that
/// were left out: the i-th of the sizes between the smallest and the largest one belongs to part i mod folds; each part
/// in turn is left out of everything between two ranks, and predicted. Neighbours are never left out together, and no
/// size is predicted from one side only.
class CrossValidation {
 public:
  /// Both must outlive it.
  CrossValidation(const CampaignData& campaign, const Platform& platform);

  /// A part without which the model cannot be estimated does not count.
  [[nodiscard]] FitQuality quality(const ParameterTable& table, const Estimator& estimator) const;

 private:
  struct Part {
    std::set<Bytes> sizes;
    std::unique_ptr<CampaignData> rest;
  };

  const Platform& platform_;
  std::vector<Part> parts_;
};

}  // namespace postage
