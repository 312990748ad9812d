#pragma once

#include <postage/base/units.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace postage {

/// A level of escalation: what some gathers of medium blocks take on top of the others.
struct EscalationStep {
  Seconds seconds = 0;
  /// Of gathers of medium blocks, those that took it; nothing where it was not counted.
  std::optional<double> share{};
  bool operator==(const EscalationStep&) const = default;
};

/// What a round costs in which one rank sends to two or more others (fan-out), or receives from two or more (fan-in):
/// a property of a model, which evaluators apply to every such round of any schedule, whatever the algorithm's name.
/// A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, equations 8-10, for a root 0 and others 1 .. n, where s_i, w_i and
/// r_i are what a model charges the sender, the wire and the receiver of message i:
///
///   fan-out  m <= S           sum s_i + max(w_i + r_i): transmissions are parallel, and begin after the last send
///            m > S            sum s_i + sum(w_i + r_i): transmissions are serialised
///   fan-in   m < M_1          sum r_i + max(s_i + w_i) + kappa_1 m
///            M_1 <= m <= M_2  one or the other, and now and then one of a few levels more
///            m > M_2          sum r_i + sum(s_i + w_i) + kappa_2 m
///
/// Blocks of several sizes: each is small or large by its own, and m in the correction is their mean.
struct FanLimits {
  static constexpr Bytes kNever = std::numeric_limits<Bytes>::max();

  Bytes scatter_step = kNever;           ///< S
  Bytes gather_small = kNever;           ///< M_1
  Bytes gather_large = kNever;           ///< M_2
  double small_correction = 0;           ///< kappa_1, s/B
  double large_correction = 0;           ///< kappa_2, s/B
  std::vector<EscalationStep> levels{};  ///< the shortest first; empty where they are not known

  /// How an evaluation takes medium blocks: a choice of the caller, no parameter.
  struct Medium {
    bool as_large = false;
    Seconds escalation = 0;  ///< of each fan-in
    bool operator==(const Medium&) const = default;
  } medium{};

  [[nodiscard]] bool has_medium() const { return gather_small < gather_large; }
  [[nodiscard]] bool is_medium(Bytes bytes) const {
    return has_medium() && bytes >= gather_small && bytes <= gather_large;
  }
  [[nodiscard]] bool serialises_fan_out(Bytes bytes) const { return bytes > scatter_step; }
  [[nodiscard]] bool serialises_fan_in(Bytes bytes) const {
    return bytes > gather_large || (medium.as_large && is_medium(bytes));
  }
  /// kappa m of one message of m bytes, of which a fan-in of n messages takes the n-th part.
  [[nodiscard]] Seconds correction(Bytes bytes) const {
    return (serialises_fan_in(bytes) ? large_correction : small_correction) * static_cast<double>(bytes);
  }
  /// Infinite where no level is known.
  [[nodiscard]] Seconds longest_escalation() const {
    return levels.empty() ? std::numeric_limits<Seconds>::infinity() : levels.back().seconds;
  }
  bool operator==(const FanLimits&) const = default;
};

}  // namespace postage
