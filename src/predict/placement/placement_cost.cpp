#include "predict/placement/phase_cost.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {

class PlacementCost::State {
 public:
  State(std::span<const MessagePhase> phases, const ChannelMap& slots, const Model& model) {
    places_.slots = &slots;
    places_.model = &model;
    const auto count = static_cast<std::size_t>(slots.mapping().capacity());
    places_.slot_of_rank.resize(count);
    std::iota(places_.slot_of_rank.begin(), places_.slot_of_rank.end(), 0);
    places_.rank_of_slot = places_.slot_of_rank;
    for (const Rank slot : places_.slot_of_rank) {
      const auto node = static_cast<std::size_t>(slots.mapping().placement_of(slot).node);
      places_.node_of_slot.push_back(static_cast<std::int32_t>(node));
      places_.slots_of_node.resize(std::max(places_.slots_of_node.size(), node + 1));
      places_.slots_of_node[node].push_back(slot);
    }
    phases_.reserve(phases.size());
    for (const MessagePhase& phase : phases) {
      check(phase);
      phases_.emplace_back(phase, places_);
    }
  }

  void place(const std::vector<Rank>& slot_of_rank) {
    check(slot_of_rank);
    places_.slot_of_rank = slot_of_rank;
    for (std::size_t rank = 0; rank < slot_of_rank.size(); ++rank) {
      places_.rank_of_slot[static_cast<std::size_t>(slot_of_rank[rank])] = static_cast<Rank>(rank);
    }
    for (PhaseCost& phase : phases_) {
      phase.recount();
    }
  }

  void swap(Rank a, Rank b) {
    for (PhaseCost& phase : phases_) {
      phase.take_away(a, b);
    }
    Rank& slot_of_a = places_.slot_of_rank[static_cast<std::size_t>(a)];
    Rank& slot_of_b = places_.slot_of_rank[static_cast<std::size_t>(b)];
    std::swap(slot_of_a, slot_of_b);
    places_.rank_of_slot[static_cast<std::size_t>(slot_of_a)] = a;
    places_.rank_of_slot[static_cast<std::size_t>(slot_of_b)] = b;
    for (PhaseCost& phase : phases_) {
      phase.put_back(a, b);
    }
  }

  [[nodiscard]] const std::vector<PhaseCost>& phases() const { return phases_; }
  [[nodiscard]] const Places& places() const { return places_; }

 private:
  void check(const MessagePhase& phase) const {
    const auto ranks = static_cast<Rank>(places_.slot_of_rank.size());
    for (const StartedMessage& message : phase.messages) {
      if (std::min(message.source, message.target) < 0 || std::max(message.source, message.target) >= ranks) {
        throw UsageError(fmt::format("a message from rank {} to rank {} does not fit {} slots", message.source,
                                     message.target, ranks));
      }
    }
  }

  void check(const std::vector<Rank>& slot_of_rank) const {
    std::vector<Rank> taken_by(places_.slot_of_rank.size(), -1);
    if (slot_of_rank.size() != taken_by.size()) {
      throw UsageError(
          fmt::format("a placement of {} ranks on {} slots misses some", slot_of_rank.size(), taken_by.size()));
    }
    for (std::size_t rank = 0; rank < slot_of_rank.size(); ++rank) {
      const Rank slot = slot_of_rank[rank];
      if (slot < 0 || static_cast<std::size_t>(slot) >= taken_by.size()) {
        throw UsageError(fmt::format("rank {} is on slot {}, but there are slots 0 to {}", rank, slot,
                                     static_cast<std::int64_t>(taken_by.size()) - 1));
      }
      Rank& owner = taken_by[static_cast<std::size_t>(slot)];
      if (owner >= 0) {
        throw UsageError(fmt::format("ranks {} and {} are both on slot {}", owner, rank, slot));
      }
      owner = static_cast<Rank>(rank);
    }
  }

  Places places_{};
  std::vector<PhaseCost> phases_{};
};

PlacementCost::PlacementCost(std::span<const MessagePhase> phases, const ChannelMap& slots, const Model& model)
    : state_(std::make_unique<State>(phases, slots, model)) {}
PlacementCost::~PlacementCost() = default;
PlacementCost::PlacementCost(PlacementCost&&) noexcept = default;
PlacementCost& PlacementCost::operator=(PlacementCost&&) noexcept = default;

void PlacementCost::place(const std::vector<Rank>& slot_of_rank) {
  state_->place(slot_of_rank);
}

void PlacementCost::swap(Rank a, Rank b) {
  state_->swap(a, b);
}

Seconds PlacementCost::seconds() const {
  const auto& phases = state_->phases();
  return std::accumulate(phases.begin(), phases.end(), 0.0,
                         [](Seconds sum, const PhaseCost& phase) { return sum + phase.seconds(); });
}

Seconds PlacementCost::mean_seconds() const {
  const auto& phases = state_->phases();
  return std::accumulate(phases.begin(), phases.end(), 0.0,
                         [](Seconds sum, const PhaseCost& phase) { return sum + phase.mean(); });
}

std::int64_t PlacementCost::charged() const {
  const auto& phases = state_->phases();
  return std::accumulate(phases.begin(), phases.end(), std::int64_t{0},
                         [](std::int64_t sum, const PhaseCost& phase) { return sum + phase.charged(); });
}

const std::vector<Rank>& PlacementCost::slot_of_rank() const {
  return state_->places().slot_of_rank;
}

Rank PlacementCost::slowest_rank() const {
  const auto& phases = state_->phases();
  const auto longest = std::max_element(
      phases.begin(), phases.end(), [](const PhaseCost& a, const PhaseCost& b) { return a.seconds() < b.seconds(); });
  return longest == phases.end() || longest->empty() ? -1 : longest->slowest_rank();
}

}  // namespace postage
