#pragma once

#include <string_view>
#include <vector>

namespace postage {

/// What is written after an option.
enum class OptionForm {
  kSizes,       ///< like 8,1K or 1:4M:x2; none for an empty list
  kOneSize,     ///< like 4
  kCollective,  ///< COLLECTIVE:ALGORITHM:SIZE[:seg=SIZE][:root=RANK][:ranks=P][:steps=N][:stride=SIZE][:run=SIZE]; may
                ///< be repeated
};

/// An option of measuring programs that says at which sizes an experiment is made, or how.
struct PlanOption {
  std::string_view name;  ///< "--echo-sizes"
  std::string_view help;
  std::string_view standard = "none";  ///< where it is not given
  OptionForm form = OptionForm::kSizes;
};

/// Those of all kinds of experiments, kind by kind.
[[nodiscard]] std::vector<PlanOption> plan_options();

/// The option of this name. Throws UsageError listing those that there are.
[[nodiscard]] PlanOption find_plan_option(std::string_view name);

}  // namespace postage
