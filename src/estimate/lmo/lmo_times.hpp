#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <optional>

namespace postage {

/// The roundtrips with empty replies and the experiments from one rank to two that LMO is estimated from.
class LmoTimes {
 public:
  /// Source to first and second target, and two empty replies.
  struct OneToTwo {
    int source = 0;
    int first = 0;
    int second = 0;
    Bytes bytes = 0;
    Estimate time;
  };

  explicit LmoTimes(const CampaignData& campaign);

  /// Those of one source over the farthest channel on which it has any, and whose roundtrips are known.
  [[nodiscard]] std::vector<OneToTwo> from(int source) const;
  /// Ranks that are the source of some.
  [[nodiscard]] std::vector<int> sources() const;
  /// Null where it was not measured.
  [[nodiscard]] const Estimate* roundtrip(int a, int b, Bytes bytes) const;
  /// Sizes above 0 of experiments from one rank to two, up to `most` where there are such, else the smallest.
  [[nodiscard]] std::vector<Bytes> sizes_up_to(double most) const;
  [[nodiscard]] const CampaignData& campaign() const { return campaign_; }

 private:
  const CampaignData& campaign_;
  std::map<std::pair<int, int>, const PairData*> pairs_;
  std::map<int, std::vector<OneToTwo>> by_source_;
};

/// C_i and t_i.
struct ProcessorEstimate {
  Estimate fixed;
  Estimate per_byte;
};
using ProcessorEstimates = std::map<int, ProcessorEstimate>;

/// L_ij, and 1/beta_ij.
struct LinkEstimate {
  Estimate fixed;
  Estimate per_byte;
};
using LinkEstimates = std::map<std::pair<int, int>, LinkEstimate>;

struct LmoEstimates {
  ProcessorEstimates processors;
  LinkEstimates links;
};

/// By what the experiment physically does. The first reply is there when a roundtrip with the first target would have
/// ended but for receiving it in C_i; the second one likewise, C_i + M t_i later, since the first send came before it.
/// So, receiving one after the other,
///
///   T_i(M) = C_i + max(T_ij(M), T_ik(M) + M t_i)
///
/// where the paper's equation 11 has 4 C_i. For each source that is an over-determined system in C_i and t_i (see
/// processors.cpp). Then 1/beta_ij = (T_ij(M) - T_ij(0))/M - t_i - t_j, and what C_i and C_j leave of half an empty
/// roundtrip is the link's own latency L_ij.
[[nodiscard]] LmoEstimates estimate_lmo_physically(const LmoTimes& times, const std::vector<Bytes>& sizes);

/// By Lastovetsky and Rychkov's equations 7, 13 and 16 as printed, at the largest of the sizes.
[[nodiscard]] LmoEstimates estimate_lmo_as_printed(const LmoTimes& times, const std::vector<Bytes>& sizes);

/// The least 1/beta that is kept, as a share of what a byte takes over the link and in both processors.
inline constexpr double kLeastWireShare = 0.01;

/// Value and interval, raised to `least`.
[[nodiscard]] Estimate no_less_than(double least, const Estimate& e);

}  // namespace postage
