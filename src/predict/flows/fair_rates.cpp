#include "predict/flows/fair_rates.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace postage {
namespace {

/// Rates that differ by less count as equal: sums of many have rounding errors.
constexpr double kAlike = 1 + 1e-9;
constexpr double kNoBound = std::numeric_limits<double>::infinity();

}  // namespace

ResourceId FairRates::add_resource(double capacity, bool slows_one) {
  resources_.push_back({.capacity = capacity, .slows_one = slows_one});
  return static_cast<ResourceId>(resources_.size() - 1);
}

FlowClassId FairRates::add_class(double most, std::span<const ResourceUse> uses, double share) {
  classes_.push_back({.most = most, .share = share, .uses = {uses.begin(), uses.end()}});
  return static_cast<FlowClassId>(classes_.size() - 1);
}

void FairRates::start(FlowClassId id) {
  Class& flow = classes_[id];
  if (flow.flows++ == 0) {
    for (const ResourceUse& use : flow.uses) {
      resources_[use.resource].users.push_back({id, use.weight});
    }
  }
  stir(id);
}

void FairRates::stop(FlowClassId id) {
  Class& flow = classes_[id];
  if (--flow.flows == 0) {
    for (const ResourceUse& use : flow.uses) {
      auto& list = resources_[use.resource].users;
      *std::find(list.begin(), list.end(), User{id, use.weight}) = list.back();
      list.pop_back();
    }
  }
  stir(id);
}

void FairRates::bound(FlowClassId id, double most) {
  classes_[id].most = most;
  if (classes_[id].flows > 0) {
    stir(id);
  }
}

void FairRates::stir(FlowClassId id) {
  stirred_classes_.push_back(id);
  for (const ResourceUse& use : classes_[id].uses) {
    stirred_.push_back(use.resource);
  }
}

bool FairRates::has_one_flow(const Resource& resource) const {
  const Class* only = resource.users.size() == 1 ? &classes_[resource.users.front().flow] : nullptr;
  return only != nullptr && only->flows == 1 && only->most < kNoBound;
}

bool FairRates::can_be_short(ResourceId id) const {
  const Resource& resource = resources_[id];
  if (!resource.slows_one && has_one_flow(resource)) {
    return false;
  }
  double wanted = 0;
  for (const User& user : resource.users) {
    const Class& flow = classes_[user.flow];
    wanted += user.weight * flow.flows * flow.most;
    if (wanted > resource.capacity * kAlike) {
      return true;
    }
  }
  return false;
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
  const auto concern = [&](FlowClassId id) {
    Class& flow = classes_[id];
    if (flow.seen == visit_ || flow.flows == 0) {
      return;
    }
    flow.seen = visit_;
    flow.fixed = false;
    concerned_.push_back(id);
    for (const ResourceUse& use : flow.uses) {
      if (resources_[use.resource].is_short) {
        involve(use.resource);
      }
    }
  };
  for (const ResourceId id : stirred_) {
    Resource& resource = resources_[id];
    if (resource.looked_at != visit_) {
      resource.looked_at = visit_;
      const bool was_short = std::exchange(resource.is_short, can_be_short(id));
      if (was_short || resource.is_short) {
        involve(id);
      }
    }
  }
  stirred_.clear();
  std::for_each(stirred_classes_.begin(), stirred_classes_.end(), concern);
  stirred_classes_.clear();
  for (std::size_t i = 0; i < involved_.size(); ++i) {
    for (const User& user : resources_[involved_[i]].users) {
      concern(user.flow);
    }
  }
}

void FairRates::fix(FlowClassId id, double level) {
  Class& flow = classes_[id];
  flow.fixed = true;
  flow.rate = std::min(level * flow.share, flow.most);
  for (const ResourceUse& use : flow.uses) {
    Resource& resource = resources_[use.resource];
    if (resource.seen == visit_) {
      resource.left -= use.weight * flow.flows * flow.rate;
      resource.weight -= use.weight * flow.flows * flow.share;
      --resource.open;
    }
  }
}

double FairRates::share_of(const Resource& resource) {
  return resource.open > 0 ? std::max(resource.left, 0.0) / std::max(resource.weight, resource.least_weight) : kNoBound;
}

/// The least bound that is no older than its owner's: as flows are fixed, bounds only grow.
template <typename Current>
double FairRates::least_of(std::vector<Bound>& heap, const Current& current) {
  while (!heap.empty()) {
    const auto [bound, number] = heap.front();
    const double now = current(number);
    if (now <= bound) {
      return now;
    }
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    heap.back().first = now;
    if (now == kNoBound) {
      heap.pop_back();
    } else {
      std::push_heap(heap.begin(), heap.end(), std::greater<>());
    }
  }
  return kNoBound;
}

template <typename Current, typename Visit>
void FairRates::take_bounds(std::vector<Bound>& heap, double most, const Current& current, const Visit& visit) {
  while (least_of(heap, current) <= most) {
    visit(heap.front().second);
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    heap.pop_back();
  }
}

void FairRates::fill() {
  shares_.clear();
  mosts_.clear();
  for (const ResourceId id : involved_) {
    const bool is_free = !resources_[id].slows_one && !resources_[id].is_short;
    resources_[id].left = is_free ? kNoBound : resources_[id].capacity;
    resources_[id].weight = 0;
    resources_[id].least_weight = kNoBound;
    resources_[id].open = resources_[id].users.size();
  }
  for (const FlowClassId id : concerned_) {
    const Class& flow = classes_[id];
    mosts_.emplace_back(flow.most / flow.share, id);
    for (const ResourceUse& use : flow.uses) {
      Resource& resource = resources_[use.resource];
      if (resource.seen == visit_) {
        const double weight = use.weight * flow.flows * flow.share;
        resource.weight += weight;
        resource.least_weight = std::min(resource.least_weight, weight);
      }
    }
  }
  const auto share = [&](std::uint32_t id) { return share_of(resources_[id]); };
  const auto own_most = [&](std::uint32_t id) {
    return classes_[id].fixed ? kNoBound : classes_[id].most / classes_[id].share;
  };
  for (const ResourceId id : involved_) {
    shares_.emplace_back(share(id), id);
  }
  std::make_heap(shares_.begin(), shares_.end(), std::greater<>());
  std::make_heap(mosts_.begin(), mosts_.end(), std::greater<>());
  for (std::size_t fixed = 0; fixed < concerned_.size();) {
    const double least = std::min(least_of(shares_, share), least_of(mosts_, own_most));
    // All at the bottleneck, as they stood before any of them was fixed.
    held_.clear();
    const auto hold = [&](FlowClassId id) {
      if (!classes_[id].fixed) {
        classes_[id].fixed = true;
        held_.push_back(id);
      }
    };
    take_bounds(shares_, least * kAlike, share, [&](std::uint32_t id) {
      for (const User& user : resources_[id].users) {
        hold(user.flow);
      }
    });
    take_bounds(mosts_, least * kAlike, own_most, hold);
    for (const FlowClassId id : held_) {
      fix(id, least);
    }
    fixed += held_.size();
  }
}

}  // namespace postage
