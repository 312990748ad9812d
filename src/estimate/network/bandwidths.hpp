#pragma once

#include "estimate/network/network_judge.hpp"

#include <limits>
#include <optional>

namespace postage {

/// A network with bandwidths, and what it costs to explain the measurements by it: n ln(mean square miss) + p ln n for
/// its p bandwidths and n experiments (G. Schwarz, Annals of Statistics 6(2), 1978); the least explains them best.
struct FittedNetwork {
  NetworkStructure network;
  CompetingMessages competing{};
  double cost = 0;
};

/// What a backbone carries that limits nothing, or is looked for.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr Estimate kUnlimited{kInfinity, kInfinity, kInfinity};

/// Costs that differ by less are weak evidence (R. Kass and A. Raftery, Journal of the American Statistical Association
/// 90(430), 1995).
inline constexpr double kStrongEvidence = 10;
/// Costs that differ by less are the same.
inline constexpr double kTie = 0.1;

/// The bandwidths that explain the measurements best: one for the links of each level, or of a torus; none where
/// messages do not wait for one another. How many links are side by side where groups are joined by switches; and how
/// messages compete, as equals or by what they cross.
[[nodiscard]] FittedNetwork fit_bandwidths(const NetworkStructure& network, const NetworkJudge& judge);

/// In two steps: first where messages compete as equals and links are single, which tells what networks are worth the
/// other, for a fifth of its time.
[[nodiscard]] FittedNetwork fit_evenly(NetworkStructure network, const NetworkJudge& judge);
[[nodiscard]] FittedNetwork fit_further(NetworkStructure network, FittedNetwork evenly, const NetworkJudge& judge);

/// The same network with a backbone that all messages share, and with links of their own rate for groups whose messages
/// show them, where that explains the measurements better.
[[nodiscard]] FittedNetwork fit_differences(FittedNetwork fitted, const NetworkJudge& judge);

/// The same network where messages of one host slow one another down as on InfiniBand; nothing where that is not
/// plausible beside `sharing`, the network without, as `judge` found it, or the evidence is weak. `of_penalties` knows
/// the same measurements, with what hosts' links carry where messages slow one another down.
[[nodiscard]] std::optional<FittedNetwork> fit_penalties(const FittedNetwork& sharing, const NetworkJudge& judge,
                                                         const NetworkJudge& of_penalties);

/// Number of bandwidths that measurements show; of others they tell but the least.
[[nodiscard]] std::size_t bandwidths_in(const NetworkStructure& network);

}  // namespace postage
