#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace postage {

/// Values of which the largest is known: a tree whose inner nodes hold the larger of two. O(log n) for a change.
class Largest {
 public:
  Largest() = default;
  explicit Largest(std::size_t count) { resize(count); }

  /// Keeps what there is. O(count) where it grows beyond a power of two.
  void resize(std::size_t count) {
    std::size_t leaves = 1;
    while (leaves < count) {
      leaves *= 2;
    }
    if (leaves <= leaves_) {
      return;
    }
    std::vector<double> larger(2 * leaves, 0.0);
    for (std::size_t i = 0; i < leaves_; ++i) {
      larger[leaves + i] = nodes_[leaves_ + i];
    }
    for (std::size_t i = leaves; i-- > 1;) {
      larger[i] = larger[2 * i] > larger[2 * i + 1] ? larger[2 * i] : larger[2 * i + 1];
    }
    nodes_ = std::move(larger);
    leaves_ = leaves;
  }

  void set(std::size_t index, double value) {
    std::size_t i = leaves_ + index;
    nodes_[i] = value;
    for (i /= 2; i >= 1; i /= 2) {
      const double larger = nodes_[2 * i] > nodes_[2 * i + 1] ? nodes_[2 * i] : nodes_[2 * i + 1];
      if (nodes_[i] == larger) {
        break;
      }
      nodes_[i] = larger;
    }
  }

  [[nodiscard]] double at(std::size_t index) const { return nodes_[leaves_ + index]; }
  [[nodiscard]] double value() const { return nodes_[1]; }
  /// The first that has it.
  [[nodiscard]] std::size_t index() const {
    std::size_t i = 1;
    while (i < leaves_) {
      i = nodes_[2 * i] >= nodes_[2 * i + 1] ? 2 * i : 2 * i + 1;
    }
    return i - leaves_;
  }

 private:
  std::vector<double> nodes_{0.0, 0.0};
  std::size_t leaves_ = 1;
};

}  // namespace postage
