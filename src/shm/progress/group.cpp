#include "shm/progress/group.hpp"

#include "shm/progress/liveness.hpp"
#include "shm/progress/waiting.hpp"
#include "shm/segment/cpu_set.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

namespace postage::shm {
namespace {

constexpr Seconds kFirstLook = 50e-6;
constexpr Seconds kSlowestLook = 2e-3;

/// Cells are not filled to their end. A longer message goes in several, so that the receiver copies one out while the
/// sender fills the next; and what a cache prefetches behind one is not the line that the other side polls.
constexpr std::size_t kMostInCell = 1024 + sizeof(Piece);

ShmOptions completed(ShmOptions options) {
  if (!options.thresholds) {
    options.thresholds = ThresholdTable::of_environment(options.buffers);
  }
  return options;
}

/// A number that only this process knows, and that a forked child does not share.
struct ProcessToken {
  pid_t owner = 0;
  std::uint64_t token = 0;
};

const ProcessToken& process_token() {
  // Ranks that are threads may join at the same time.
  static std::mutex mutex;
  static ProcessToken token;
  const std::scoped_lock lock(mutex);
  if (token.owner != getpid()) {
    token.owner = getpid();
    if (getrandom(&token.token, sizeof token.token, 0) != sizeof token.token) {
      token.token = reinterpret_cast<std::uintptr_t>(&token) ^ static_cast<std::uint64_t>(getpid()) << 32 ^
                    static_cast<std::uint64_t>(1e9 * now());
    }
  }
  return token;
}

/// Of a rank whose chunks nobody else uses yet.
NonTemporalSelector selector_of(const ShmOptions& options, const Layout& layout, std::int32_t rank) {
  return options.non_temporal
             ? NonTemporalSelector::fixed(*options.non_temporal)
             : NonTemporalSelector(non_temporal_cost(layout.chunk(rank, 0), layout.shape().chunk_bytes));
}

}  // namespace

Group::Group(const ShmSegment& shared, std::int32_t own_rank, const ShmOptions& with)
    : segment(shared),
      mapping(segment.mapping()),
      layout(mapping.layout()),
      cell_payload(std::min(layout.cells(0, 0).payload(), kMostInCell)),
      rank(own_rank),
      size(segment.ranks()),
      options(completed(with)) {
  if (rank < 0 || rank >= size) {
    throw UsageError(fmt::format("there is no rank {} in a shared-memory group of {}", rank, size));
  }
  mapping.populate();
  own = &layout.rank(rank);
  const NonTemporalSelector selector = selector_of(options, layout, rank);
  peers.reserve(static_cast<std::size_t>(size));
  for (std::int32_t other = 0; other < size; ++other) {
    peers.emplace_back(layout, rank, other, selector);
  }
  use_thresholds(*options.thresholds);
}

void Group::join(Liveness& liveness) {
  has_barriers = Linux::register_for_barriers();
  publish_card();
  await_others(liveness);
  learn_levels();
}

void Group::leave() {
  Presence present = Presence::kPresent;
  own->card.presence.compare_exchange_strong(present, Presence::kLeft, std::memory_order_acq_rel);
  mapping.unlock(rank);
}

void Group::publish_card() {
  Card& card = own->card;
  if (card.presence.load(std::memory_order_acquire) != Presence::kAbsent || !mapping.lock(rank)) {
    throw UsageError(fmt::format("rank {} has joined this shared-memory group already", rank));
  }
  const ProcessToken& token = process_token();
  card.pid = getpid();
  card.process = token.token;
  card.token = token.token;
  card.token_address = reinterpret_cast<std::uintptr_t>(&token.token);
  card.needs_fence = has_barriers ? 0 : 1;
  card.may_run_on = allowed_pus();
  card.presence.store(Presence::kPresent, std::memory_order_release);
}

void Group::await_others(Liveness& liveness) {
  const Seconds patience = layout.header().patience;
  const Seconds deadline = now() + patience;
  Seconds pause = kFirstLook;
  for (Peer& other : peers) {
    while (other.block->card.presence.load(std::memory_order_acquire) == Presence::kAbsent) {
      liveness.watch();
      if (now() > deadline) {
        liveness.give_up(fmt::format("rank {} did not join the shared-memory group within {}", other.rank,
                                     format_seconds(patience)));
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(pause));
      pause = std::min(2 * pause, kSlowestLook);
    }
    needs_fences = needs_fences || other.block->card.needs_fence != 0;
  }
}

void Group::learn_levels() {
  const auto& locations = layout.header().locations;
  PuSet all{};
  for (Peer& other : peers) {
    add(all, other.block->card.may_run_on);
    other.level = farthest_level(locations, own->card.may_run_on, other.block->card.may_run_on);
    other.own_control->no_single_copy.store(options.single_copy ? 0 : 1, std::memory_order_relaxed);
  }
  more_ranks_than_cores = count(all) < size;
  use_thresholds(*options.thresholds);
}

void Group::use_thresholds(const ThresholdTable& thresholds) {
  for (Peer& other : peers) {
    other.thresholds = thresholds.of(other.level);
    // A message must not need more than half of a ring, or nothing else could move beside it.
    other.thresholds.eager = std::min(other.thresholds.eager, static_cast<Bytes>(kCells / 2 * cell_payload));
  }
}

const Peer& Group::known_peer(std::int32_t of) const {
  if (of < 0 || of >= size || of == rank) {
    throw UsageError(fmt::format("rank {} has no connection to rank {}", rank, of));
  }
  return peers[static_cast<std::size_t>(of)];
}

void Group::warn(const std::string& sentence) const {
  if (options.warn) {
    options.warn(sentence);
  } else {
    fmt::print(stderr, "postage: {}\n", sentence);
  }
}

}  // namespace postage::shm
