#pragma once

#include <postage/measure/choices.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/program/program.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace postage {

/// What a rank sends and receives, long enough for every point: allocated once, since a large block that is freed
/// between two points would change how malloc treats those that libraries allocate in a call, and with them what calls
/// take.
class CallerMemory {
 public:
  CallerMemory(const std::vector<ChoicePoint>& points, Rank rank) {
    for (const ChoicePoint& one : points) {
      if (rank < one.point.ranks) {
        const auto [send, receive] = bytes_of(one.point, rank);
        send_.resize(std::max(send_.size(), send));
        receive_.resize(std::max(receive_.size(), receive));
      }
    }
  }

  [[nodiscard]] RankBuffers of(const BatchPoint& point, Rank rank) {
    const auto [send, receive] = bytes_of(point, rank);
    return {std::span(send_).first(send), std::span(receive_).first(receive), {}};
  }

 private:
  static std::pair<std::size_t, std::size_t> bytes_of(const BatchPoint& point, Rank rank) {
    const Program program = lower(schedule_of(point.run, point.ranks), rank, {.commutative = true});
    return {static_cast<std::size_t>(program.send_bytes), static_cast<std::size_t>(program.receive_bytes)};
  }

  std::vector<std::byte> send_;
  std::vector<std::byte> receive_;
};

}  // namespace postage
