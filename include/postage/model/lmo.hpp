#pragma once

#include <postage/model/fan_limits.hpp>
#include <postage/model/link_table.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace postage {

struct LmoProcessor {
  Seconds fixed_delay = 0;    ///< C_i
  double delay_per_byte = 0;  ///< t_i

  [[nodiscard]] Seconds delay(Bytes bytes) const { return fixed_delay + delay_per_byte * static_cast<double>(bytes); }
};

struct LmoLink {
  double seconds_per_byte = 0;  ///< 1/beta_ij
  /// A channel's: for ranks that have no C and t of their own.
  std::optional<LmoProcessor> any_processor{};
  Seconds latency = 0;  ///< L_ij: 0 where C_i and C_j hold it, as in the paper

  [[nodiscard]] Seconds wire(Bytes bytes) const { return latency + seconds_per_byte * static_cast<double>(bytes); }
};

/// A. Lastovetsky, V. Rychkov, IJHPCA 23(2), 2009, section 5: C_i + m t_i + C_j + m t_j + m/beta_ij, with C and t of
/// the processors at the two ends and beta_ij = beta_ji of the link between them. Each processor handles its messages
/// one after another; a switch's links do not contend. Where one has several partners in a round, see FanLimits. A link
/// may have a latency L_ij of its own, which keeps no processor (A. Lastovetsky, V. Rychkov, M. O'Flynn, IJHPCA 24(1),
/// 2010).
struct Lmo {
  LinkTable<LmoLink> links;
  /// By measured rank; a rank without regimes takes its channel's.
  std::vector<std::vector<Regime<LmoProcessor>>> processors{};
  FanLimits fan_limits{};
  double combine_per_byte = 0;  ///< gamma, s/B

  [[nodiscard]] TransferCost cost(const TransferQuestion& question) const {
    const Bytes bytes = question.bytes;
    return {.sender_busy = processor(question.source, question.channel, bytes).delay(bytes),
            .wire = links.at(question).wire(bytes),
            .receiver_busy = processor(question.target, question.channel, bytes).delay(bytes)};
  }

  /// C and t of a measured rank, or of one that is not (-1). O(log regimes). Throws Error where neither the rank nor
  /// the channel has them.
  [[nodiscard]] const LmoProcessor& processor(std::int32_t rank, ChannelId channel, Bytes bytes) const {
    const auto index = static_cast<std::size_t>(rank);
    if (rank >= 0 && index < processors.size() && !processors[index].empty()) {
      return find_regime(processors[index], bytes);
    }
    if (links.has_channel(channel)) {
      const LmoLink& link = links.at({.channel = channel, .bytes = bytes});
      if (link.any_processor) {
        return *link.any_processor;
      }
    }
    throw Error((rank < 0
                     ? std::string("the lmo model knows the measured processors only, and a rank sits on another")
                     : "the lmo model has no parameters C and t for the processor of rank " + std::to_string(rank)) +
                "; give C and t of the channel for such ranks");
  }
};

}  // namespace postage
