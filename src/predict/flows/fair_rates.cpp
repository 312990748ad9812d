#include "predict/flows/fair_rates.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// Rates that differ by less count as equal: sums of many have rounding errors.
constexpr double kAlike = 1 + 1e-9;

}  // namespace

ResourceId FairRates::add_resource(double capacity) {
  resources_.push_back({.capacity = capacity});
  return static_cast<ResourceId>(resources_.size() - 1);
}

void FairRates::start(FlowId flow, double most, std::span<const ResourceUse> uses) {
  if (flows_.size() <= flow) {
    flows_.resize(std::size_t{flow} + 1);
  }
  State& state = flows_[flow];
  state = {.most = most, .active = true, .uses = {uses.begin(), uses.end()}};
  for (const ResourceUse& use : uses) {
    resources_[use.resource].flows.push_back(flow);
    stirred_.push_back(use.resource);
  }
}

void FairRates::stop(FlowId flow) {
  State& state = flows_[flow];
  state.active = false;
  for (const ResourceUse& use : state.uses) {
    auto& list = resources_[use.resource].flows;
    *std::find(list.begin(), list.end(), flow) = list.back();
    list.pop_back();
    stirred_.push_back(use.resource);
  }
}

void FairRates::collect() {
  ++visit_;
  concerned_.clear();
  involved_.clear();
  const auto involve = [&](ResourceId id) {
    if (resources_[id].seen != visit_) {
      resources_[id].seen = visit_;
      involved_.push_back(id);
    }
  };
  std::for_each(stirred_.begin(), stirred_.end(), involve);
  stirred_.clear();
  for (std::size_t i = 0; i < involved_.size(); ++i) {
    for (const FlowId id : resources_[involved_[i]].flows) {
      State& flow = flows_[id];
      if (flow.seen != visit_) {
        flow.seen = visit_;
        flow.fixed = false;
        concerned_.push_back(id);
        for (const ResourceUse& use : flow.uses) {
          involve(use.resource);
        }
      }
    }
  }
}

void FairRates::fix(State& flow, double rate) {
  flow.fixed = true;
  flow.rate = rate;
  for (const ResourceUse& use : flow.uses) {
    Resource& resource = resources_[use.resource];
    resource.left -= use.weight * rate;
    resource.weight -= use.weight;
  }
}

void FairRates::fill() {
  for (const ResourceId id : involved_) {
    resources_[id].left = resources_[id].capacity;
    resources_[id].weight = 0;
  }
  for (const FlowId id : concerned_) {
    for (const ResourceUse& use : flows_[id].uses) {
      resources_[use.resource].weight += use.weight;
    }
  }
  const auto share_of = [&](const ResourceUse& use) {
    const Resource& resource = resources_[use.resource];
    return std::max(resource.left, 0.0) / std::max(resource.weight, use.weight);
  };
  std::vector<FlowId> rest = concerned_;
  while (!rest.empty()) {
    const auto bound_of = [&](FlowId id) {
      double bound = flows_[id].most;
      for (const ResourceUse& use : flows_[id].uses) {
        bound = std::min(bound, share_of(use));
      }
      return bound;
    };
    double least = std::numeric_limits<double>::infinity();
    for (const FlowId id : rest) {
      least = std::min(least, bound_of(id));
    }
    // All at the bottleneck, as they stood before any of them was fixed.
    const auto held =
        std::partition(rest.begin(), rest.end(), [&](FlowId id) { return bound_of(id) > least * kAlike; });
    std::for_each(held, rest.end(), [&](FlowId id) { fix(flows_[id], std::min(least, flows_[id].most)); });
    rest.erase(held, rest.end());
  }
}

}  // namespace postage
