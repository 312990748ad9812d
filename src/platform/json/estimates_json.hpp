#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/platform/parameters.hpp>

namespace postage {

/// A number where the interval is that number alone, else [value, lower, upper], with null for a bound that there is
/// not. Files of versions before 4 name the three, which is read as well.
[[nodiscard]] Json to_json(const Estimate& estimate);
[[nodiscard]] Estimate read_estimate(const JsonField& field);

/// [bytes, value] or [bytes, value, lower, upper]
[[nodiscard]] Json to_json(const ParameterPoint& point);
[[nodiscard]] ParameterPoint read_curve_point(const JsonField& field);

/// {"points": [[bytes, value], [bytes, value, lower, upper], ...]}
[[nodiscard]] Json to_json(const ParameterCurve& curve);
[[nodiscard]] ParameterCurve read_curve(const JsonField& field);

/// {"rows": [{"at": 8, "points": [...]}, ...]}
[[nodiscard]] Json to_json(const ParameterSurface& surface);
[[nodiscard]] ParameterSurface read_surface(const JsonField& field);

}  // namespace postage
