#pragma once

#include <postage/estimate/campaign_data.hpp>

#include <map>
#include <vector>

namespace postage {

/// How many pairs of ranks each measured pair of a channel stands for, itself among them.
[[nodiscard]] std::map<const PairData*, double> weights_of(const std::vector<const PairData*>& pairs,
                                                           const PairStructure& structure);

/// Measured pairs of a channel whose probes take about as long, by the classes that probing found: for real hosts, of
/// which a campaign with few repetitions has no intervals that tell pairs apart. None where classes hardly differ.
/// O(pairs classes).
[[nodiscard]] std::vector<std::vector<const PairData*>> classes_by_probes(const std::vector<const PairData*>& pairs,
                                                                          const PairStructure& structure);

/// Says in the table which pairs, and which ranks, are like those of which it has parameters: the campaign's classes
/// without pairs that have their own, and by groups those that were not measured.
void add_classes(const CampaignData& campaign, ParameterTable& table);

}  // namespace postage
