#include <postage/base/error.hpp>
#include <postage/estimate/estimate.hpp>

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace postage {
namespace {

/// Throws UsageError listing the valid names.
template <typename Method, std::size_t count>
Method parse_method(std::string_view name, const char* what,
                    const std::array<std::pair<std::string_view, Method>, count>& valid) {
  std::string names;
  for (const auto& [known, method] : valid) {
    if (known == name) {
      return method;
    }
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(unknown_name(what, std::string(name), names));
}

}  // namespace

OverheadMethod parse_overhead_method(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, OverheadMethod>, 2> valid{
      {{"classical", OverheadMethod::kClassical}, {"trains", OverheadMethod::kTrains}}};
  return parse_method(name, "method to find overheads", valid);
}

GapMethod parse_gap_method(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, GapMethod>, 2> valid{
      {{"direct", GapMethod::kDirect}, {"indirect", GapMethod::kIndirect}}};
  return parse_method(name, "method to find gaps", valid);
}

PerByteMethod parse_per_byte_method(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, PerByteMethod>, 2> valid{
      {{"slope", PerByteMethod::kSlope}, {"saturation", PerByteMethod::kSaturation}}};
  return parse_method(name, "method to find the gap per byte", valid);
}

}  // namespace postage
