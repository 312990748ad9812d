#include "shm/endpoint.hpp"

#include <algorithm>
#include <utility>

namespace postage::shm {

bool Endpoint::judges_exchanges(const Peer& peer, std::uint64_t bytes) const {
  return kHasTicks && rank_ < peer.rank && static_cast<Bytes>(bytes) >= peer.thresholds.exchange;
}

Judged Endpoint::judge_crossing(const Peer& peer, std::uint64_t bytes) const {
  return {.as = judges_exchanges(peer, bytes) ? Judged::As::kExchange : Judged::As::kNothing};
}

Judged Endpoint::judge_chunks(Peer& peer, std::uint64_t bytes, std::uint32_t seen) {
  return peer.exchanges.take(bytes, seen) ? judge_crossing(peer, bytes) : Judged{};
}

Judged Endpoint::judge_offer(Peer& peer, const Offer& offer) {
  const std::uint64_t bytes = offer.buffer.bytes;
  const bool crosses = peer.exchanges.take(bytes, offer.seen);
  Judged judged = crosses ? judge_crossing(peer, bytes) : Judged{};
  judged.is_pushed = offer.two_copies != 0;
  if (kHasTicks && !crosses && !judged.is_pushed && static_cast<Bytes>(bytes) >= peer.thresholds.exchange) {
    judged.as = Judged::As::kOffer;
    judged.turn = peer.offers.turn(bytes);
    judged.is_pushed = peer.offers.next(bytes) == LongWay::kTwoCopies;
  }
  judged.began = ticks();
  return judged;
}

void Endpoint::observe_pushed(Peer& peer, Judged judged, std::uint64_t bytes) {
  // One begins where the one before has ended, if several were asked for.
  const Ticks begin = std::max(judged.began, std::exchange(peer.last_pushed, ticks()));
  judged.took = judged.as == Judged::As::kOffer ? peer.last_pushed - begin : judged.took;
  observe(peer, judged, LongWay::kTwoCopies, bytes);
}

void Endpoint::observe(Peer& peer, const Judged& judged, LongWay way, std::uint64_t bytes) {
  switch (judged.as) {
    case Judged::As::kNothing:
      return;
    case Judged::As::kExchange:
      peer.exchanges.settle(pool_.bytes_around());
      if (peer.exchanges.observe(way, bytes, judged.took)) {
        peer.tell->exchanges.store(peer.exchanges.judged().ways(), std::memory_order_relaxed);
      }
      return;
    case Judged::As::kOffer:
      // Of a stream many may have been asked for before the turn changed.
      if (judged.turn == peer.offers.turn(bytes)) {
        peer.offers.settle(pool_.bytes_around());
        peer.offers.observe(way, bytes, static_cast<double>(judged.took) / static_cast<double>(bytes));
      }
      return;
  }
}

/// The way that was judged best where both ranks send, if it was and this message may take it.
std::optional<LongWay> Endpoint::exchange_way(const Peer& peer, const Operation& send) const {
  const std::uint64_t bytes = send.buffer.bytes;
  if (static_cast<Bytes>(bytes) < peer.thresholds.exchange || !peer.exchanges.expects(bytes) ||
      peer.told->skewed.load(std::memory_order_relaxed) != 0) {
    return std::nullopt;
  }
  if (send.blocks && matcher_.posted_for(peer.rank) == 0) {
    // Where the peer, too, receives only after its own blocking send, none may wait for the other one.
    return std::nullopt;
  }
  const auto way = WaysBySize::way_in(
      rank_ < peer.rank ? peer.exchanges.judged().ways() : peer.told->exchanges.load(std::memory_order_relaxed), bytes);
  const bool is_closed = !options_.single_copy || peer.told->two_copies.load(std::memory_order_relaxed) != 0;
  return way == LongWay::kSingleCopy && is_closed ? std::nullopt : way;
}

}  // namespace postage::shm
