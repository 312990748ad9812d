#pragma once

#include "shm/collectives/direct_memory.hpp"
#include "shm/progress/waiting.hpp"

#include <postage/base/memory_copy.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace postage::shm {

// A collective is a few numbered steps, the same on all ranks. In a step a rank may post data, and reads what it needs
// of the others' posts; then it is done with the step. A slot is used again when every peer is done with the step that
// it held, which costs no look at the peers in most cases: who posts for step n is done with step n - 1.

/// One rank's end of a DirectGroup.
class DirectState {
 public:
  DirectState(std::int32_t rank, std::int32_t ranks, std::uint64_t number, const DirectOptions& options);

  [[nodiscard]] std::int32_t rank() const { return rank_; }
  [[nodiscard]] std::int32_t ranks() const { return ranks_; }
  [[nodiscard]] const DirectOptions& options() const { return options_; }
  [[nodiscard]] bool can_read_peers() const;
  void use_single_copy(bool possible);
  [[nodiscard]] bool has_single_copy() const { return has_single_copy_; }
  /// Whether data of so many bytes, all in all, go through slots rather than being read where they lie.
  [[nodiscard]] bool is_copied(Bytes bytes) const { return !has_single_copy_ || bytes <= options_.copied_bytes; }
  [[nodiscard]] bool is_copied_at_once(Bytes bytes) const {
    return is_copied(bytes) && bytes <= DirectGroup::kSlotBytes;
  }
  void set_copied_bytes(Bytes bytes) { options_.copied_bytes = bytes; }

  /// Begins a step.
  std::uint64_t next_step() { return ++step_; }

  /// Where `bytes` to be copied go; publish() makes them visible.
  [[nodiscard]] std::byte* claim(std::uint64_t step, Bytes bytes);
  /// All slots as one room of kAllSlots, for what is longer than a slot; published as PostKind::kSpread.
  [[nodiscard]] std::byte* claim_all_slots(std::uint64_t step) {
    make_room(step, 1);
    spread_ = step;
    return reinterpret_cast<std::byte*>(own_->slots);
  }
  static constexpr auto kAllSlots = static_cast<Bytes>(sizeof(RankArea::slots));
  void publish(std::uint64_t step, Bytes bytes) {
    publish(step, is_short(bytes) ? PostKind::kShort : PostKind::kCopied);
  }
  void publish(std::uint64_t step, PostKind kind) {
    Post& post = own_->posts[step % kPosts];
    post.kind = kind;
    post.number.store(step, std::memory_order_release);
  }
  void post_copy(std::uint64_t step, const std::byte* data, Bytes bytes) {
    copy(claim(step, bytes), data, bytes);
    publish(step, bytes);
  }
  void post_address(std::uint64_t step, const void* data);
  /// Copied where it fits into a slot and is not to be read where it lies, else the address; whether it was copied.
  bool post_data(std::uint64_t step, const std::byte* data, Bytes bytes) {
    if (is_copied_at_once(bytes)) {
      post_copy(step, data, bytes);
      return true;
    }
    post_address(step, data);
    return false;
  }
  [[nodiscard]] static bool is_short(Bytes bytes) { return bytes <= static_cast<Bytes>(sizeof Post::data); }

  /// What `peer` posts for a step; this rank's own post counts as there.
  struct View {
    std::int32_t owner = 0;
    PostKind kind = PostKind::kShort;
    const std::byte* data = nullptr;
  };
  [[nodiscard]] View await(std::int32_t peer, std::uint64_t step);
  /// The same of a peer that may post nothing for the step: nothing then, as soon as it is done with it.
  [[nodiscard]] std::optional<View> await_post_or_done(std::int32_t peer, std::uint64_t step);

  /// Reads [offset, offset + bytes) of what was posted.
  void read(const View& post, Bytes offset, std::byte* to, Bytes bytes) {
    if (post.kind != PostKind::kAddress) {
      copy(to, post.data + offset, bytes);
    } else {
      read_memory(post.owner, address_in(post.data) + static_cast<std::uint64_t>(offset), to, bytes);
    }
  }
  /// The same where it lies, or in `room` if it lies in another process's memory.
  [[nodiscard]] const std::byte* look(const View& post, Bytes offset, std::byte* room, Bytes bytes) {
    if (post.kind != PostKind::kAddress) {
      return post.data + offset;
    }
    read_memory(post.owner, address_in(post.data) + static_cast<std::uint64_t>(offset), room, bytes);
    return room;
  }
  void read_memory(std::int32_t peer, std::uint64_t address, std::byte* to, Bytes bytes);
  void write_memory(std::int32_t peer, std::uint64_t address, const std::byte* from, Bytes bytes);

  /// This rank has read all that it needs of steps up to this one.
  void done(std::uint64_t step) { own_->card.done.store(step, std::memory_order_release); }
  void await_done(std::int32_t peer, std::uint64_t step);
  /// Of all peers: then nobody reads this rank's memory any more.
  void await_all_done(std::uint64_t step);

  /// Calls act(peer) for all peers, beginning with the next rank: so they do not all turn to the same one.
  template <typename Act>
  void for_each_peer(const Act& act) const {
    for (std::int32_t distance = 1; distance < ranks_; ++distance) {
      const std::int32_t peer = rank_ + distance;
      act(peer < ranks_ ? peer : peer - ranks_);
    }
  }

  /// Memory that stays until the next call with the same `which`.
  [[nodiscard]] std::byte* room(std::size_t which, Bytes bytes);

  static void copy(std::byte* to, const std::byte* from, Bytes bytes) {
    if (bytes > 0 && to != from) {
      move_memory(to, from, bytes);
    }
  }
  [[nodiscard]] static std::uint64_t address_in(const std::byte* data) {
    std::uint64_t address = 0;
    std::memcpy(&address, data, sizeof address);
    return address;
  }

 private:
  struct Peer {
    RankArea* area = nullptr;
    std::uint64_t done = 0;  ///< known so far
    pid_t pid = 0;
  };

  template <typename Ready>
  void wait_until(const Ready& ready) {
    for (int look = 0; look < first_looks_; ++look) {
      if (ready()) {
        return;
      }
      relax();
    }
    for (std::uint32_t turn = 0; !ready(); ++turn) {
      idle(turn);
    }
  }
  [[nodiscard]] static const std::byte* data_of(const RankArea& area, const Post& post, std::uint64_t step);
  void await_presence(const RankCard& card, std::int32_t peer) const;
  void idle(std::uint32_t turn);
  void await_readers_of(std::uint64_t step);
  void make_room(std::uint64_t step, std::uint64_t places) {
    if (step > all_done_ + places) [[unlikely]] {
      await_readers_of(step - places);
    }
  }
  [[noreturn]] void fail_copy(std::int32_t peer, int error);

  std::int32_t rank_;
  std::int32_t ranks_;
  DirectOptions options_;
  DirectMemory memory_;
  RankArea* own_;
  std::vector<Peer> peers_;
  std::uint64_t step_ = 0;
  std::uint64_t all_done_ = 0;  ///< all peers are done with this step
  std::uint64_t spread_ = 0;    ///< the last step whose data lie in all slots
  bool has_single_copy_ = false;
  int first_looks_;
  Seconds waiting_since_ = 0;
  Seconds waited_ = 0;
  std::vector<std::byte> rooms_[4];
};

inline DirectState::View DirectState::await(std::int32_t peer, std::uint64_t step) {
  Peer& of = peers_[static_cast<std::size_t>(peer)];
  const Post& post = of.area->posts[step % kPosts];
  wait_until([&] { return post.number.load(std::memory_order_acquire) == step; });
  of.done = std::max(of.done, step - 1);
  // Where the peer is ahead, its next post comes while this one is used.
  const Post& next = of.area->posts[(step + 1) % kPosts];
  __builtin_prefetch(&next);
  __builtin_prefetch(reinterpret_cast<const std::byte*>(&next) + 64);
  return {peer, post.kind, data_of(*of.area, post, step)};
}

inline const std::byte* DirectState::data_of(const RankArea& area, const Post& post, std::uint64_t step) {
  switch (post.kind) {
    case PostKind::kCopied:
      return area.slots[step % kSlots].data;
    case PostKind::kSpread:
      return reinterpret_cast<const std::byte*>(area.slots);
    default:
      return post.data;
  }
}

inline std::byte* DirectState::claim(std::uint64_t step, Bytes bytes) {
  if (is_short(bytes)) {
    make_room(step, kPosts);
    return own_->posts[step % kPosts].data;
  }
  // What is spread over all slots is still being read, also in those that an older step would have left.
  make_room(step, spread_ + kSlots > step ? step - spread_ : kSlots);
  return own_->slots[step % kSlots].data;
}

/// Where a piece of a buffer begins, which a rank may not have.
template <typename Byte>
[[nodiscard]] Byte* piece_at(Byte* buffer, Bytes at) {
  return buffer == nullptr ? nullptr : buffer + at;
}

/// Calls act(first byte, bytes) for pieces of at most `longest` bytes, in order; once where there is nothing.
template <typename Act>
void for_each_piece(Bytes bytes, Bytes longest, const Act& act) {
  Bytes at = 0;
  do {
    act(at, std::min(longest, bytes - at));
    at += longest;
  } while (at < bytes);
}

}  // namespace postage::shm
