#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/samples/samples.hpp>

#include <functional>
#include <map>
#include <string>

namespace postage {

[[nodiscard]] Json to_json(const Experiment& experiment);

/// Reads the experiments of one file. The first one of a kind says which fields the kind has; all others must have them
/// too.
class ExperimentReader {
 public:
  /// Throws Error naming the field that is missing or wrong.
  [[nodiscard]] Experiment operator()(const JsonField& file);

 private:
  std::map<std::string, ExperimentKind, std::less<>> kinds_;
};

// One measurement as it stands in a samples file: ranks send theirs to rank 0 in this form.
[[nodiscard]] Json to_json(const Measurement& measurement);
[[nodiscard]] Measurement read_measurement(const JsonField& field, ExperimentReader& experiment);

/// Each pair as [first, second, time, half its interval, time, ...], with seven digits: there may be thousands.
[[nodiscard]] Json to_json(const PairProbes& probes);
/// Throws Error naming the field that is wrong, or a rank that is not one of so many.
[[nodiscard]] PairProbes read_pair_probes(const JsonField& field, int ranks);

[[nodiscard]] Json to_json(const Control& control);
[[nodiscard]] Control read_control(const JsonField& field, ExperimentReader& experiment);

}  // namespace postage
