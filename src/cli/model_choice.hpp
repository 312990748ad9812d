#pragma once

#include "cli/job.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// The parameters of the models that --model asks for. Throws UsageError where the platform lacks one, or none of them
/// knows strides and --stride is given.
[[nodiscard]] std::vector<ParameterTable> choose_tables(const Platform& platform, const JobOptions& options);

/// A sentence on the error output where one of several models was chosen: which, and how to see all.
void tell_choice(const JobPlatform& platform);

/// Which models know messages of which sizes. Values by hand hold for all.
class Fitted {
 public:
  explicit Fitted(const JobOptions& options) : options_(options) {}

  /// 1 where the model was fitted to messages of this size and stride, more where the prediction extrapolates. Nothing
  /// where the size is farther outside than --max-extrapolation allows: the model is left out then, which tell() says.
  /// Throws UsageError where not all models were asked for.
  [[nodiscard]] std::optional<double> extrapolation(const ParameterTable& table, Bytes bytes, Bytes stride = 0);

  /// A sentence on the error output about the models left out. Throws UsageError where no prediction is left.
  void tell(bool any_prediction) const;

 private:
  const JobOptions& options_;
  std::map<std::string, std::string> left_out_;  ///< what would have been extrapolated most, by model
};

}  // namespace postage
