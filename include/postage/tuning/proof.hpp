#pragma once

#include <postage/tuning/decision_table.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// An algorithm that a tracer saw begin.
struct SeenAlgorithm {
  std::string name{};  ///< "bcast chain" (Open MPI: collective and coll/tuned's name), "MPIR_Bcast_intra_binomial"
  Bytes segment = 0;
  Index fan_out = 0;
  int depth = 0;  ///< within how many others of the same rank
  bool operator==(const SeenAlgorithm&) const = default;
};

/// Reads what postage-prove-MPI prints of a call: "NAME SEGMENT FAN-OUT DEPTH;...". Throws Error.
[[nodiscard]] std::vector<SeenAlgorithm> parse_trace(std::string_view text);

enum class ProofVerdict { kInForce, kNotInForce, kNotTried };
[[nodiscard]] std::string_view name_of(ProofVerdict verdict);

/// One call that a rule is for, or one beside the rule's sizes or numbers of ranks that no rule is for.
struct ProofCall {
  const DecisionRule* rule = nullptr;  ///< the table's
  Rank ranks = 0;
  Bytes bytes = 0;
  bool is_beside = false;
};

struct ProofRow {
  ProofCall call{};
  ProofVerdict verdict = ProofVerdict::kNotTried;
  std::string seen{};    ///< what ran
  std::string reason{};  ///< why it is not in force, or was not tried
};

struct ProofLimits {
  Rank most_ranks = 4;         ///< rules for more ranks are not tried
  Bytes most_bytes = 1 << 20;  ///< of a rank's message
  Seconds time_limit = 120;    ///< of the job: a rule that deadlocks takes so long
};

/// Calls for each rule that fit the limits: its least and its largest number of ranks, its first and its last size; and
/// the last size before and the first one behind it, and the numbers of ranks beside it, where no rule holds.
[[nodiscard]] std::vector<ProofCall> proof_calls(const DecisionTable& table, const ProofLimits& limits);

/// Compares what ran with what the rule says, segment and fan-out included; nothing that was not printed ran.
[[nodiscard]] ProofRow judge(const DecisionTable& table, const ProofCall& call, const std::vector<SeenAlgorithm>& seen);

/// Of a call beside a rule: whether what ran is what the library does without any file.
[[nodiscard]] ProofRow judge_beside(const ProofCall& call, const std::vector<SeenAlgorithm>& seen,
                                    const std::vector<SeenAlgorithm>& usual);

/// Runs each call once with the settings of `folder`/env.sh, which emit() wrote, and says which algorithm ran on rank
/// 0. Every rule has at least one row. Throws Error where the release is not the one that is installed, or a program is
/// missing, and UsageError for targets whose algorithms nothing sees here.
[[nodiscard]] std::vector<ProofRow> prove(const DecisionTable& table, const std::filesystem::path& folder,
                                          const ProofLimits& limits = {});

}  // namespace postage
