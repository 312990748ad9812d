#pragma once

#include <postage/platform/platform.hpp>
#include <postage/samples/samples.hpp>
#include <postage/validate/validation.hpp>

#include <string>
#include <vector>

namespace postage {

/// What to measure that no parameter was fitted to.
struct HeldOutRequest {
  std::string sizes{};                     ///< of messages; empty for the usual ones, "none" for none
  std::vector<std::string> collectives{};  ///< as parse_collective_run reads them; empty for the usual ones, or "none"
  bool is_virtual = false;                 ///< fewer sizes: simulated times do not scatter
};

/// Arguments of the measuring program for the request, with a few sizes that were fitted, as a control. Throws
/// UsageError for sizes that the platform's parameters were fitted to, and for collectives that cannot be read.
[[nodiscard]] std::vector<std::string> held_out_experiments(const HeldOutRequest& request, const Platform& platform);

/// One sentence for each control experiment that takes another time than when the platform was measured, by more than
/// the noise of both.
[[nodiscard]] std::vector<std::string> changes_since(const Platform& platform, const SampleSet& samples);

/// What each model of the platform predicts for the samples. Throws Error where the platform has fewer ranks.
[[nodiscard]] Validation validate(const SampleSet& samples, const Platform& platform);

}  // namespace postage
