#include "shm/collectives/direct_state.hpp"

#include "shm/copy/remote_copy.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace postage::shm {
namespace {

// A waiting rank looks for a microsecond or so before it does anything else, unless another rank wants its core.
constexpr int kLooks = 200;
constexpr int kLooksOfMany = 20;
constexpr int kLooksPerTurn = 60;
constexpr std::uint32_t kTurnsPerProgress = 4;
/// Where a turn gives the core away: whatever makes progress may give it away too, before this rank looks again.
constexpr std::uint32_t kTurnsPerProgressOfMany = 16;
/// Then for so long, a time slice or so, unless another rank wants its core: who gives it away sooner waits for
/// whatever else wants it. Then giving its core away if others want it; then it sleeps between looks.
constexpr Seconds kSpin = 5e-3;
constexpr Seconds kAwake = 20e-3;
constexpr std::chrono::microseconds kSleep(30);

RemoteBuffer remote(std::uint64_t address, Bytes bytes) {
  const auto length = static_cast<std::uint64_t>(bytes);
  return {address, length, length, length};
}

}  // namespace

DirectState::DirectState(std::int32_t rank, std::int32_t ranks, std::uint64_t number, const DirectOptions& options)
    : rank_(rank),
      ranks_(ranks),
      options_(options),
      memory_(rank, ranks, number, options),
      own_(&memory_.area(rank)),
      peers_(static_cast<std::size_t>(ranks)),
      first_looks_(options.more_ranks_than_cores ? kLooksOfMany : kLooks) {
  for (std::int32_t peer = 0; peer < ranks; ++peer) {
    RankArea& area = memory_.area(peer);
    await_presence(area.card, peer);
    memory_.touch(peer);
    peers_[static_cast<std::size_t>(peer)] = {.area = &area, .pid = area.card.pid};
  }
}

void DirectState::await_presence(const RankCard& card, std::int32_t peer) const {
  const Seconds deadline = now() + options_.patience;
  while (card.present.load(std::memory_order_acquire) == 0) {
    if (now() > deadline) {
      throw Error(
          fmt::format("rank {} did not open the shared memory within {}", peer, format_seconds(options_.patience)));
    }
    std::this_thread::sleep_for(kSleep);
  }
}

bool DirectState::can_read_peers() const {
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
    const RankCard& card = peer.area->card;
    return read_token(card.pid, card.token_address, card.token) == 0;
  });
}

void DirectState::use_single_copy(bool possible) {
  has_single_copy_ = possible;
}

void DirectState::post_address(std::uint64_t step, const void* data) {
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  std::memcpy(claim(step, sizeof address), &address, sizeof address);
  publish(step, PostKind::kAddress);
}

void DirectState::read_memory(std::int32_t peer, std::uint64_t address, std::byte* to, Bytes bytes) {
  const auto length = static_cast<std::uint64_t>(bytes);
  const Buffer here{to, length, length, length};
  const pid_t pid = peers_[static_cast<std::size_t>(peer)].pid;
  if (const int error = read_remote(pid, here, remote(address, bytes), 0, length); error != 0) {
    fail_copy(peer, error);
  }
}

void DirectState::write_memory(std::int32_t peer, std::uint64_t address, const std::byte* from, Bytes bytes) {
  const auto length = static_cast<std::uint64_t>(bytes);
  // The kernel only reads it.
  const Buffer here{const_cast<std::byte*>(from), length, length, length};
  const pid_t pid = peers_[static_cast<std::size_t>(peer)].pid;
  if (const int error = copy_remote(process_vm_writev, pid, here, remote(address, bytes), 0, length); error != 0) {
    fail_copy(peer, error);
  }
}

std::optional<DirectState::View> DirectState::await_post_or_done(std::int32_t peer, std::uint64_t step) {
  const Peer& of = peers_[static_cast<std::size_t>(peer)];
  const Post& post = of.area->posts[step % kPosts];
  const std::atomic<std::uint64_t>& done = of.area->card.done;
  const auto is_posted = [&] { return post.number.load(std::memory_order_acquire) == step; };
  wait_until([&] { return is_posted() || done.load(std::memory_order_acquire) >= step; });
  if (!is_posted()) {
    return std::nullopt;
  }
  return await(peer, step);
}

void DirectState::await_done(std::int32_t peer, std::uint64_t step) {
  Peer& of = peers_[static_cast<std::size_t>(peer)];
  if (of.done >= step) {
    return;
  }
  const std::atomic<std::uint64_t>& word = of.area->card.done;
  wait_until([&] { return word.load(std::memory_order_acquire) >= step; });
  of.done = word.load(std::memory_order_acquire);
}

void DirectState::await_all_done(std::uint64_t step) {
  for_each_peer([&](std::int32_t peer) { await_done(peer, step); });
}

void DirectState::await_readers_of(std::uint64_t step) {
  await_all_done(step);
  all_done_ = step;
  for_each_peer([&](std::int32_t peer) {
    const std::uint64_t known = peers_[static_cast<std::size_t>(peer)].done;
    all_done_ = peer == (rank_ + 1) % ranks_ ? known : std::min(all_done_, known);
  });
}

std::byte* DirectState::room(std::size_t which, Bytes bytes) {
  std::vector<std::byte>& room = rooms_[which];
  if (room.size() < static_cast<std::size_t>(bytes)) {
    room.resize(static_cast<std::size_t>(bytes));
  }
  return room.data();
}

void DirectState::idle(std::uint32_t turn) {
  if (turn == 0) {
    waiting_since_ = now();
    waited_ = 0;
  }
  const std::uint32_t turns = options_.more_ranks_than_cores ? kTurnsPerProgressOfMany : kTurnsPerProgress;
  if (turn % turns == turns - 1 && options_.progress != nullptr) {
    options_.progress(options_.progress_context);
  }
  if (turn % kTurnsPerProgress == 1) {
    waited_ = now() - waiting_since_;
  }
  if (waited_ > kAwake) {
    std::this_thread::sleep_for(kSleep);
  } else if (options_.more_ranks_than_cores || waited_ > kSpin) {
    sched_yield();
  } else {
    for (int look = 0; look < kLooksPerTurn; ++look) {
      relax();
    }
  }
}

/// A rank that is gone takes the job with it, by its launcher's hand. Otherwise the memory cannot be reached at all: a
/// device's, for instance, which no agreement before could have found.
void DirectState::fail_copy(std::int32_t peer, int error) {
  if (error == ESRCH) {
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  std::fprintf(stderr,
               "postage: rank %d cannot reach the buffer of rank %d (%s); run the program with POSTAGE_PRELOAD=off\n",
               rank_, peer, std::strerror(error));
  std::abort();
}

}  // namespace postage::shm
