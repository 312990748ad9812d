#pragma once

#include <postage/base/json_fields.hpp>
#include <postage/platform/platform.hpp>

namespace postage {

// Parts of the platform file that other files hold too.
[[nodiscard]] Json to_json(const Node& node);
[[nodiscard]] Node read_node(const JsonField& field);
[[nodiscard]] Json to_json(const RankPlacement& placement);
[[nodiscard]] RankPlacement read_placement(const JsonField& field);
/// Written and read only where there are any: the member "shm_protocols" of a file, or "channel_thresholds" of one of
/// earlier versions.
void add_thresholds(Json& file, const std::vector<MeasuredThresholds>& thresholds);
[[nodiscard]] std::vector<MeasuredThresholds> read_all_thresholds(const JsonField& file);

}  // namespace postage
