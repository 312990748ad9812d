#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/platform/platform.hpp>

#include <vector>

namespace postage {

/// Roundtrips of consecutive points between the same two ranks share an entry: {"source": 0, "target": 1, "channel":
/// "inter-node", "one_way": [[bytes, seconds], [bytes, seconds, lower, upper], ...], "repetitions": [n, ...]}, and
/// "imprecise": [bytes, ...] where there are any. The order is kept. O(points).
[[nodiscard]] Json to_json(const std::vector<MeasuredPoint>& points);

/// Files of versions before 5 have an entry for each point, which is read as well.
[[nodiscard]] std::vector<MeasuredPoint> read_points(const JsonField& field);

}  // namespace postage
