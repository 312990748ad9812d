#pragma once

#include <postage/schedule/patterns/numbering.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace postage {

/// Which ranks' contributions a partly reduced block holds, as values that cost one word each. A run of consecutive
/// ranks (cyclic, so that a ring's partial results are runs too) is written into the word; any other set is interned,
/// so that the many blocks that hold the same set share it.
class Contributions {
 public:
  using Value = std::uint64_t;
  static constexpr Value kNothing = 0;
  /// Answers of `combine` that are no value.
  static constexpr Value kOverlap = ~Value{0};
  static constexpr Value kDisorder = kOverlap - 1;

  /// With `ordered` a value is a sequence: only neighbours in rank order combine, the lower ones on the left.
  Contributions(Index ranks, bool ordered) : ranks_(ranks), ordered_(ordered) {}

  /// The contributions of ranks first, ..., first + count - 1.
  [[nodiscard]] static Value run(Index first, Index count) {
    return static_cast<Value>(first) << 32U | static_cast<Value>(count);
  }

  /// `left op right`, or kOverlap where a contribution is in both, or kDisorder. Amortised O(1) for runs.
  [[nodiscard]] Value combine(Value left, Value right);

  /// "rank 3", "ranks 2 to 5", "5 ranks", for sentences.
  [[nodiscard]] std::string describe(Value value) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  struct PairHash {
    std::size_t operator()(const std::pair<Value, Value>& key) const {
      return key.first * 0x9E3779B97F4A7C15ULL ^ key.second * 0xC2B2AE3D27D4EB4FULL;
    }
  };
  [[nodiscard]] Value combine_runs(Value left, Value right) const;
  [[nodiscard]] Value unite(Value left, Value right);
  [[nodiscard]] Bits bits_of(Value value) const;
  [[nodiscard]] Value intern(Bits bits);

  Index ranks_;
  bool ordered_;
  std::vector<Bits> sets_;
  std::unordered_map<std::pair<Value, Value>, Value, PairHash> united_;
};

}  // namespace postage
