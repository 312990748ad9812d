#include <postage/papers/exhibit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace postage {

PaperRow number_row(std::string what, double printed, double ours, AxisUnit unit, double rounding) {
  return {.what = std::move(what), .printed = printed, .ours = ours, .unit = unit, .rounding = rounding};
}

PaperRow claim_row(std::string what, std::string claim, double ours, AxisUnit unit, bool holds) {
  return {.what = std::move(what), .claim = std::move(claim), .ours = ours, .unit = unit, .holds = holds};
}

PaperRow our_row(std::string what, double ours, AxisUnit unit) {
  return {.what = std::move(what), .ours = ours, .unit = unit};
}

PaperRow missing_row(std::string what, double printed, AxisUnit unit, std::string why) {
  return {.what = std::move(what), .printed = printed, .unit = unit, .note = std::move(why)};
}

std::optional<double> difference_of(const PaperRow& row) {
  if (!row.printed || !row.ours) {
    return std::nullopt;
  }
  if (row.unit == AxisUnit::kShare) {
    return *row.ours - *row.printed;
  }
  return *row.printed == 0 ? std::nullopt : std::optional((*row.ours - *row.printed) / *row.printed);
}

RowVerdict verdict_of(const PaperRow& row) {
  constexpr double kRelative = 1e-3;
  constexpr double kSlack = 1 + 1e-9;  // of the two subtractions
  if (row.holds) {
    return *row.holds ? RowVerdict::kAgrees : RowVerdict::kDiffers;
  }
  if (!row.ours) {
    return RowVerdict::kMissing;
  }
  if (!row.printed) {
    return RowVerdict::kNothingPrinted;
  }
  const double allowed = std::max(kRelative * std::abs(*row.printed), row.rounding);
  return std::abs(*row.ours - *row.printed) <= kSlack * allowed ? RowVerdict::kAgrees : RowVerdict::kDiffers;
}

std::string_view name_of(ExhibitKind kind) {
  switch (kind) {
    case ExhibitKind::kEquation:
      return "equation";
    case ExhibitKind::kTable:
      return "table";
    case ExhibitKind::kFigure:
      return "figure";
    case ExhibitKind::kAlgorithm:
      return "algorithm";
    case ExhibitKind::kProgram:
      return "program";
    case ExhibitKind::kClaim:
      break;
  }
  return "claim";
}

std::string_view name_of(ExhibitSource source) {
  switch (source) {
    case ExhibitSource::kComputed:
      return "computed";
    case ExhibitSource::kSimulated:
      return "simulated";
    case ExhibitSource::kMeasured:
      break;
  }
  return "measured on this machine";
}

std::string id_of(const Exhibit& exhibit) {
  return fmt::format("{}-{}", name_of(exhibit.kind), exhibit.number);
}

std::string title_of(const Exhibit& exhibit) {
  std::string kind(name_of(exhibit.kind));
  kind[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(kind[0])));
  return fmt::format("{} {}", kind, exhibit.number);
}

}  // namespace postage
