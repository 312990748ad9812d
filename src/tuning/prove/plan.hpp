#pragma once

#include <postage/tuning/proof.hpp>

#include <vector>

namespace postage {

/// Calls that the file says to do as their rule does, a few a rule, and those beside rules; rules without any are rows
/// already.
struct ProofPlan {
  std::vector<ProofCall> calls{};
  std::vector<ProofCall> beside{};
  std::vector<ProofRow> rows{};
};
[[nodiscard]] ProofPlan plan_proof(const DecisionTable& table, const ProofLimits& limits);

}  // namespace postage
