#pragma once

#include <postage/transport/transport.hpp>

namespace postage {

/// What a small message takes to the other rank, which calls answer_link at the same time: half of the least of a few
/// roundtrips. Between processors of one host it tells how they are joined, which the host of a virtual machine changes
/// when it moves them.
[[nodiscard]] Seconds time_link(Transport& transport, std::int32_t other);
/// The other rank's part.
void answer_link(Transport& transport, std::int32_t leader);

}  // namespace postage
