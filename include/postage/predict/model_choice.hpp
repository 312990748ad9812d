#pragma once

#include <postage/platform/parameters.hpp>
#include <postage/predict/platform_model.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// The table of a model; nullptr where there is none.
[[nodiscard]] const ParameterTable* find_table(std::string_view model, const std::vector<ParameterTable>& tables);

/// The table of the model that comes first in models_by_accuracy. `tables` must not be empty.
[[nodiscard]] const ParameterTable& most_accurate(const std::vector<ParameterTable>& tables);

/// True where a parameter of the table was measured over strides.
[[nodiscard]] bool depends_on_stride(const ParameterTable& table);

/// The table with l_hand in the place of l_mw: what strides add where the program packs and unpacks by itself. Throws
/// UsageError where some l_mw has no l_hand beside it.
[[nodiscard]] ParameterTable packed_by_hand(ParameterTable table);

/// Which predictions lie too far outside the sizes and strides that the parameters were measured at. Parameters given
/// by hand hold everywhere.
class ExtrapolationLimit {
 public:
  /// `largest` is a factor of the size. `may_skip`: leave a model out that would exceed it, instead of refusing.
  ExtrapolationLimit(double largest, bool may_skip) : largest_(largest), may_skip_(may_skip) {}

  /// 1 where the model was fitted to messages of this size and stride, more where the prediction extrapolates. Nothing
  /// where the model is left out. Throws UsageError where it must not be.
  [[nodiscard]] std::optional<double> extrapolation(const PlatformModel& model, Bytes bytes);

  /// The reason by model for those left out.
  [[nodiscard]] const std::map<std::string, std::string>& left_out() const { return left_out_; }

 private:
  double largest_;
  bool may_skip_;
  std::map<std::string, std::string> left_out_;
};

}  // namespace postage
