#include "blade/benchmarks/gaps.hpp"

#include <algorithm>
#include <numeric>

namespace postage::blade {
namespace {

template <typename OfPeer>
Cycles mean_over(const std::vector<int>& peers, const OfPeer& of_peer) {
  const Cycles sum = std::accumulate(peers.begin(), peers.end(), Cycles{0},
                                     [&](Cycles so_far, int peer) { return so_far + of_peer(peer); });
  return sum / static_cast<double>(peers.size());
}

/// Where the first of two things needs less than no time more than the second, rounding has made it so.
Cycles additional(Cycles together, Cycles alone, std::size_t others) {
  return std::max(together - alone, Cycles{0}) / static_cast<double>(others);
}

}  // namespace

std::vector<int> spes_between(int first, int last) {
  std::vector<int> spes(static_cast<std::size_t>(last - first + 1));
  std::iota(spes.begin(), spes.end(), first);
  return spes;
}

Cycles mean_ack_latency(Machine& machine, const std::vector<int>& peers) {
  return mean_over(peers, [&](int peer) { return half_ack_roundtrip(machine, 0, peer); });
}

Cycles mean_data_latency(Machine& machine, const std::vector<int>& peers, Bytes bytes) {
  return mean_over(peers, [&](int peer) { return half_data_roundtrip(machine, 0, peer, bytes); });
}

Cycles gap_of_gets(Machine& machine, const std::vector<int>& all, const std::vector<int>& peers, Bytes bytes) {
  const std::vector<Cycles> times = gets_from_root(machine, all, bytes);
  const Cycles together = mean_over(peers, [&](int peer) {
    return times.at(static_cast<std::size_t>(std::find(all.begin(), all.end(), peer) - all.begin()));
  });
  const Cycles alone = mean_over(peers, [&](int peer) { return gets_from_root(machine, {peer}, bytes).front(); });
  return additional(together, alone, all.size() - 1);
}

Cycles gap_of_acks(Machine& machine, const std::vector<int>& peers) {
  const Cycles last = acks_to_root(machine, peers).back();
  const Cycles alone = mean_over(peers, [&](int peer) { return acks_to_root(machine, {peer}).back(); });
  return additional(last, alone, peers.size() - 1);
}

Cycles gap_by_roundtrips(Machine& machine, int peer, Bytes bytes) {
  return answered_roundtrip(machine, 0, peer, bytes) - 2 * half_ack_roundtrip(machine, 0, peer) +
         saturation_gap(machine, 0, peer);
}

Cycles congestion(Machine& machine, int messages, Bytes bytes) {
  return std::max(butterfly(machine, messages, bytes) - butterfly(machine, 2, bytes), Cycles{0});
}

}  // namespace postage::blade
