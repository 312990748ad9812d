#pragma once

#include "program/lowering_state.hpp"

#include <array>
#include <vector>

namespace postage {

/// Lowers the sends of a round: from the memory that holds the blocks, or packed first where they are not contiguous.
class SendLowering {
 public:
  explicit SendLowering(LoweringState& state) : state_(state) {}

  /// What the round's sends read, before its receives change where values are. Throws Error where the rank does not
  /// have a block that it sends.
  void find_sources(const RankRound& round);

  /// True where a send of this round reads some of it.
  [[nodiscard]] bool is_being_sent(const Region& region) const;

  /// Adds the sends that were found, and packs what must be packed.
  void append_sends(Step& step);

 private:
  struct Outgoing {
    Rank target = 0;
    std::vector<Region> sources;
    Protocol protocol = Protocol::kDefault;
  };

  [[nodiscard]] static std::size_t index_of(const Region& region) { return static_cast<std::size_t>(region.at.memory); }
  Region packed(Step& step, const std::vector<Region>& sources);

  LoweringState& state_;
  std::vector<Outgoing> outgoing_;
  std::array<IntervalMap<bool>, 5> being_sent_;  ///< by Memory
  std::vector<Region> packed_;                   ///< in scratch memory
};

}  // namespace postage
