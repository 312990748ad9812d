#pragma once

#include <postage/platform/held_out.hpp>
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

/// How far a model's usual predictions (kUsualEvaluator) are from a platform's held-out collectives.
struct HeldOutErrors {
  std::size_t points = 0;
  double median = 0;  ///< of the larger of predicted and measured time over the smaller one, minus 1
  double mean = 0;    ///< of |log(predicted/measured)|
};
/// Of those that choose the model, or of the others. No points where there are none.
[[nodiscard]] HeldOutErrors held_out_errors(const HeldOut& held_out, std::string_view model, bool that_choose);

/// The model that predictions are made with where none is asked for, and why.
struct ModelChoice {
  const ParameterTable* table = nullptr;
  std::string reason;
  /// Each half of the held-out collectives chooses it by itself: then the errors on either half are those of a model
  /// that the other one chose, and all of them give its intervals. Else only those that did not choose.
  bool by_both_halves = false;
};

/// The model that is the most accurate on those of the platform's held-out collectives that choose: by the mean of
/// |log(predicted/measured)|, which large errors decide. Of the models that are no further from the least one than a
/// standard error of the mean difference (the one-standard-error rule: L. Breiman et al., Classification and Regression
/// Trees, 1984, section 3.4.3) the one that is the most accurate elsewhere, first in models_by_accuracy(). The most
/// accurate elsewhere where fewer than kLeastHeldOut choose. `tables` must not be empty.
[[nodiscard]] ModelChoice choose_model(const std::vector<ParameterTable>& tables, const HeldOut& held_out);

/// The intervals of a model's predictions where this one was chosen.
[[nodiscard]] Calibrations calibrations_of(const HeldOut& held_out, std::string_view model, const ModelChoice& choice);

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
