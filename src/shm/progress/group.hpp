#pragma once

#include "shm/progress/peer.hpp"
#include "shm/segment/mapping.hpp"

#include <postage/shm/endpoint.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace postage::shm {

class Liveness;

/// What the parts of one rank's endpoint share: the mapped segment, the options and what is kept of every peer.
struct Group {
  /// Maps the segment; nobody knows of this rank yet. Throws UsageError for a rank that does not exist.
  Group(const ShmSegment& shared, std::int32_t own_rank, const ShmOptions& with);
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  /// Publishes this rank's card and waits for all others. Throws as ShmEndpoint's constructor.
  void join(Liveness& liveness);
  /// Peers that wait for this rank hear that it has left.
  void leave();

  [[nodiscard]] Peer& peer(std::int32_t of) { return peers[static_cast<std::size_t>(of)]; }
  /// Throws UsageError for a rank that is not a peer.
  [[nodiscard]] const Peer& known_peer(std::int32_t of) const;
  void use_thresholds(const ThresholdTable& thresholds);
  void warn(const std::string& sentence) const;
  /// After anything that a sleeping peer may wait for.
  void ring_bell(Peer& of) { counts.wakes += wake<Linux>(of.block->doorbell, needs_fences) ? 1 : 0; }

  ShmSegment segment;
  Mapping& mapping;
  Layout layout;
  std::size_t cell_payload;  ///< bytes of a message that one cell carries
  std::int32_t rank;
  std::int32_t size;
  ShmOptions options;
  RankBlock* own = nullptr;
  bool has_barriers = false;
  bool needs_fences = false;  ///< some rank has no membarrier
  bool more_ranks_than_cores = false;
  std::vector<Peer> peers;
  WaitCounts counts{};

 private:
  void publish_card();
  void await_others(Liveness& liveness);
  void learn_levels();
};

}  // namespace postage::shm
