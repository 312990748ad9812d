#pragma once

#include <postage/model/transfer.hpp>
#include <postage/platform/parameters.hpp>

#include <string_view>

namespace postage {

/// How far a transfer lies outside what its parameters were fitted to: for each quantity 1 inside, else the factor by
/// which it is larger or smaller than the nearest one that was measured, so that 4 is as far on either side.
struct Extrapolation {
  double size = 1;
  double concurrency = 1;  ///< tau, or n
  double stride = 1;

  /// The worst of them.
  [[nodiscard]] double factor() const;
  [[nodiscard]] bool is_any() const { return factor() > 1; }
};

/// Of a transfer over the channel of this name. Sizes were measured from the table's FitQuality::smallest to its
/// largest where the fit has points, and from the first to the last size of every curve that the transfer uses;
/// concurrency and strides from the first to the last row of its surfaces. Single values given by hand hold everywhere,
/// and what a model takes no notice of is never extrapolated. An empty message counts as one byte. O(groups). Throws
/// UsageError for a model that does not exist.
[[nodiscard]] Extrapolation extrapolation_of(const ParameterTable& table, std::string_view channel,
                                             const TransferQuestion& question);

}  // namespace postage
