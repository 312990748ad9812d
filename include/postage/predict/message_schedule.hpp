#pragma once

#include <postage/schedule/schedule.hpp>

namespace postage {

/// One message as a schedule of one round, so that it is explained like a collective. Throws UsageError where source
/// and target are not two different ranks.
[[nodiscard]] Schedule message_schedule(Rank source, Rank target, Bytes bytes);

}  // namespace postage
