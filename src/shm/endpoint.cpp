#include "shm/endpoint.hpp"

#include "shm/places.hpp"
#include "shm/remote_copy.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

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
    options.thresholds = ThresholdTable::of_environment();
  }
  return options;
}

/// The chunks are this rank's own, and nobody knows of it yet.
WriteJudge judge_of(const ShmOptions& options, const ChunkPool& pool, std::uint64_t chunk_bytes) {
  return options.past_caches ? WriteJudge::decided(*options.past_caches)
                             : WriteJudge(cost_past_caches(pool.memory(0), chunk_bytes));
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

/// Of a rank's pool.
std::uint64_t bytes_of_chunks(const SegmentShape& shape) {
  return shape.chunk_bytes * std::uint64_t{shape.chunks};
}

}  // namespace

Peer::Peer(const Layout& layout, std::int32_t self, std::int32_t peer, const WriteJudge& judge,
           std::uint32_t seldom_trial)
    : rank(peer),
      block(&layout.rank(peer)),
      out(layout.cells(peer, self), layout.control(peer, self).acknowledged),
      in(layout.cells(self, peer), layout.control(self, peer).acknowledged),
      told(&layout.control(peer, self)),
      tell(&layout.control(self, peer)),
      writing(judge),
      exchanges(seldom_trial, bytes_of_chunks(layout.shape())),
      offers(seldom_trial, bytes_of_chunks(layout.shape())) {}

Endpoint::Endpoint(const ShmSegment& segment, std::int32_t rank, const ShmOptions& options)
    : segment_(segment),
      mapping_(segment.mapping()),
      layout_(mapping_.layout()),
      cell_payload_(std::min(layout_.cells(0, 0).payload(), kMostInCell)),
      rank_(rank),
      size_(segment.ranks()),
      options_(completed(options)),
      senders_seen_(ShmSegment::kMostRanks / 64, 0),
      matcher_(segment.ranks()),
      pool_(layout_, rank < 0 || rank >= segment.ranks() ? 0 : rank, options_.seldom_trial) {
  if (rank < 0 || rank >= size_) {
    throw UsageError(fmt::format("there is no rank {} in a channel of {}", rank, size_));
  }
  mapping_.populate();
  const WriteJudge judge = judge_of(options_, pool_, layout_.shape().chunk_bytes);
  own_ = &layout_.rank(rank_);
  peers_.reserve(static_cast<std::size_t>(size_));
  for (std::int32_t other = 0; other < size_; ++other) {
    peers_.emplace_back(layout_, rank_, other, judge, options_.seldom_trial);
  }
  has_barriers_ = Linux::register_for_barriers();
  present_oneself();
  await_others();
  learn_places();
}

Endpoint::~Endpoint() {
  close_joints();
  if (broken_.empty()) {
    say_the_last_answers();
  }
  Presence present = Presence::kPresent;
  own().card.presence.compare_exchange_strong(present, Presence::kLeft, std::memory_order_acq_rel);
  mapping_.unlock(rank_);
}

void Endpoint::present_oneself() {
  Card& card = own().card;
  if (card.presence.load(std::memory_order_acquire) != Presence::kAbsent || !mapping_.lock(rank_)) {
    throw UsageError(fmt::format("rank {} has joined this channel already", rank_));
  }
  const ProcessToken& token = process_token();
  card.pid = getpid();
  card.process = token.token;
  card.token = token.token;
  card.token_address = reinterpret_cast<std::uintptr_t>(&token.token);
  card.needs_fence = has_barriers_ ? 0 : 1;
  card.may_run_on = allowed_pus();
  card.presence.store(Presence::kPresent, std::memory_order_release);
}

/// Peers may wait for answers that had no room so far.
void Endpoint::say_the_last_answers() {
  Patience patience(options_.waiting, more_ranks_than_cores_);
  const auto has_answers = [&](const Peer* to) { return !to->answers.empty() && is_present(*to); };
  try {
    while (std::any_of(unsent_.begin(), unsent_.end(), has_answers)) {
      if (!progress(nullptr)) {
        idle(patience, nullptr);
      }
    }
  } catch (const Error&) {
    // Somebody died: then there is nobody to answer.
  }
}

void Endpoint::await_others() {
  const Seconds patience = layout_.header().patience;
  const Seconds deadline = now() + patience;
  Seconds pause = kFirstLook;
  for (Peer& other : peers_) {
    while (other.block->card.presence.load(std::memory_order_acquire) == Presence::kAbsent) {
      watch(nullptr);
      if (now() > deadline) {
        give_up(fmt::format("rank {} did not join the channel within {}", other.rank, format_seconds(patience)));
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(pause));
      pause = std::min(2 * pause, kSlowestLook);
    }
    needs_fences_ = needs_fences_ || other.block->card.needs_fence != 0;
  }
}

void Endpoint::learn_places() {
  const auto& places = layout_.header().places;
  PuSet all{};
  for (Peer& other : peers_) {
    add(all, other.block->card.may_run_on);
    other.distance = farthest_distance(places, own().card.may_run_on, other.block->card.may_run_on);
    other.tell->two_copies.store(options_.single_copy ? 0 : 1, std::memory_order_relaxed);
  }
  more_ranks_than_cores_ = count(all) < size_;
  use_thresholds(*options_.thresholds);
}

void Endpoint::use_thresholds(const ThresholdTable& thresholds) {
  for (Peer& other : peers_) {
    other.thresholds = thresholds.of(other.distance);
    // A message must not need more than half of a ring, or nothing else could move beside it.
    other.thresholds.eager = std::min(other.thresholds.eager, static_cast<Bytes>(kCells / 2 * cell_payload_));
    other.exchanges.reset();
    other.tell->exchanges.store(0, std::memory_order_relaxed);
    other.offers.reset();
  }
}

void Endpoint::warn(const std::string& sentence) const {
  if (options_.warn) {
    options_.warn(sentence);
  } else {
    fmt::print(stderr, "postage: {}\n", sentence);
  }
}

Connection Endpoint::connection(std::int32_t peer) const {
  if (peer < 0 || peer >= size_ || peer == rank_) {
    throw UsageError(fmt::format("rank {} has no connection to rank {}", rank_, peer));
  }
  const Peer& other = peers_[static_cast<std::size_t>(peer)];
  return {.distance = other.distance,
          .thresholds = other.thresholds,
          .sent = other.sent,
          .received = other.received,
          .past_caches = other.writing.far(),
          .single_copy_refused = other.reach == Peer::Reach::kNo || !options_.single_copy,
          .peer_reports_skew = other.told->skewed.load(std::memory_order_relaxed) != 0,
          .skew_reported = other.skew.skewed(),
          .skew_raised = other.skew.raised(),
          .skew_restored = other.skew.restored(),
          .crossed_messages = other.exchanges.crossed(),
          .exchange_trials = other.exchanges.judged().trials(),
          .exchange_changes = other.exchanges.judged().changes(),
          .offer_trials = other.offers.trials(),
          .offer_changes = other.offers.changes(),
          .unexpected_messages = matcher_.unexpected_from(peer)};
}

}  // namespace postage::shm
