#include "layout.hpp"

#include <algorithm>
#include <functional>

namespace postage {
namespace {

/// One after the other.
Part blocks(int ranks, int count) {
  Part part;
  for (int i = 0; i < ranks; ++i) {
    part.counts.push_back(count);
    part.displacements.push_back(i * count);
  }
  return part;
}

/// From the last rank's to the first one's, with an element between some of them that belongs to no block.
Part scattered_blocks(int ranks, const std::function<int(int)>& count_of) {
  Part part;
  part.counts.resize(static_cast<std::size_t>(ranks));
  part.displacements.resize(static_cast<std::size_t>(ranks));
  int at = 0;
  for (int i = ranks - 1; i >= 0; --i) {
    const auto place = static_cast<std::size_t>(i);
    part.counts[place] = count_of(i);
    part.displacements[place] = at;
    at += part.counts[place] + i % 2;
  }
  return part;
}

class LayoutOf {
 public:
  explicit LayoutOf(const Case& test)
      : test_(test),
        n_(test.count),
        ranks_(test.communicator->size()),
        rank_(test.communicator->rank()),
        is_root_(rank_ == test.root) {}

  Layout make() {
    set_parts();
    set_significance();
    return layout_;
  }

 private:
  /// Uneven, some zero.
  [[nodiscard]] int uneven(int i) const { return n_ == 0 || (i + n_) % 4 == 3 ? 0 : n_ + i % 3; }
  [[nodiscard]] int uneven(int from, int to) const {
    const int lower = test_.in_place ? std::min(from, to) : from;  // in place, both directions are equal
    const int upper = test_.in_place ? std::max(from, to) : to;
    return n_ == 0 || (lower + 2 * upper) % 3 == 0 ? 0 : n_ + (lower + upper) % 4;
  }
  [[nodiscard]] Part all_uneven() const {
    return scattered_blocks(ranks_, [this](int i) { return uneven(i); });
  }

  void set(Part sent, Part received) {
    layout_.sent = std::move(sent);
    layout_.received = std::move(received);
  }

  void set_parts() {
    switch (test_.call) {
      case Call::kBarrier:
        return set({}, {});
      case Call::kBcast:
        return set({}, blocks(1, n_));
      case Call::kGather:
      case Call::kAllgather:
        return set(blocks(1, n_), blocks(ranks_, n_));
      case Call::kGatherv:
      case Call::kAllgatherv:
        return set(blocks(1, uneven(rank_)), all_uneven());
      case Call::kScatter:
        return set(blocks(ranks_, n_), blocks(1, n_));
      case Call::kScatterv:
        return set(all_uneven(), blocks(1, uneven(rank_)));
      case Call::kAlltoall:
        return set(blocks(ranks_, n_), blocks(ranks_, n_));
      case Call::kAlltoallv:
        return set(scattered_blocks(ranks_, [this](int to) { return uneven(rank_, to); }),
                   scattered_blocks(ranks_, [this](int from) { return uneven(from, rank_); }));
      default:
        return set_reduced_parts();
    }
  }

  void set_reduced_parts() {
    if (test_.call == Call::kReduceScatter) {
      const Part parts = all_uneven();
      int sum = 0;
      for (const int count : parts.counts) {
        sum += count;
      }
      set(blocks(1, sum), parts);
    } else if (test_.call == Call::kReduceScatterBlock) {
      set(blocks(1, n_ * ranks_), blocks(1, n_));
    } else {
      set(blocks(1, n_), blocks(1, n_));
    }
  }

  void set_significance() {
    const bool scatters = test_.call == Call::kScatter || test_.call == Call::kScatterv;
    const bool only_root_sends = scatters || test_.call == Call::kBcast;
    const bool only_root_receives = has_root(test_.call) && !only_root_sends;
    if (scatters) {
      layout_.receive_in_place = test_.in_place && is_root_;
    } else if (test_.call != Call::kBcast) {
      layout_.send_in_place = test_.in_place && (is_root_ || !only_root_receives);
    }
    layout_.reads_send = !layout_.send_in_place && (is_root_ || !only_root_sends);
    layout_.reads_receive = !layout_.receive_in_place && (is_root_ || !only_root_receives);
  }

  const Case& test_;
  int n_;
  int ranks_;
  int rank_;
  bool is_root_;
  Layout layout_;
};

}  // namespace

int Layout::receive_elements() const {
  const int elements = reads_receive ? received.end() : 0;
  return send_in_place ? std::max(elements, sent.end()) : elements;
}

Layout layout_of(const Case& test) {
  return LayoutOf(test).make();
}

}  // namespace postage
