#include "measure/experiment_descriptor.hpp"

#include <array>

namespace postage {
namespace {

constexpr int kAdaptiveOrder = 10;

}  // namespace

std::vector<Bytes> CampaignPlan::sizes_of(std::string_view option, std::string_view standard) const {
  if (const auto given = sizes.find(option); given != sizes.end()) {
    return given->second;
  }
  return standard == "none" ? std::vector<Bytes>{} : parse_sizes(std::string(standard));
}

Experiment at_size(Experiment shape, Bytes bytes) {
  shape.bytes = bytes;
  if (const auto& scale = find_experiment(shape.kind).scale) {
    scale(shape);
  }
  return shape;
}

Experiment with_participants(Experiment shape, const RankGroup& group) {
  const ExperimentDescriptor& descriptor = find_experiment(shape.kind);
  shape.kind = descriptor.kind();
  if (descriptor.participants == Participants::kMembers) {
    shape.members = group;
  } else if (descriptor.participants != Participants::kAllRanks) {
    const std::array<std::int32_t*, 3> roles{&shape.source, &shape.target, &shape.second_target};
    for (std::size_t i = 0; i < group.size(); ++i) {
      *roles[i] = group[i];
    }
  }
  return shape;
}

std::vector<PlannedShape> at_each(int order, const Experiment& shape, const std::vector<Bytes>& sizes) {
  std::vector<PlannedShape> shapes;
  for (const Bytes bytes : sizes) {
    shapes.push_back({order, shapes.size(), at_size(shape, bytes)});
  }
  return shapes;
}

Experiment empty_reply(Bytes bytes) {
  return {.kind = ExperimentKind::kRoundtrip, .bytes = bytes};
}

std::vector<PlannedCurve> adaptive_curve(const CampaignPlan& plan, std::size_t index, const Experiment& shape) {
  const Bytes largest = plan.largest_adaptive;
  if (largest == 0) {
    return {};
  }
  std::vector<Bytes> sizes{0};
  for (Bytes bytes = 1; bytes < largest; bytes *= 4) {
    sizes.push_back(bytes);
  }
  sizes.push_back(largest);
  return {{kAdaptiveOrder, index, shape, sizes, Refine::kWhereExtrapolationMisses}};
}

}  // namespace postage
