#pragma once

#include <postage/transport/transport.hpp>

namespace postage {

/// What this rank's processor takes for some fixed work at this moment, seconds: some microseconds; the least of a few
/// tries, so that an interrupt does not count. Longer where something else uses the processor, or its other hardware
/// thread, which on a virtual machine may be another guest's.
[[nodiscard]] Seconds time_fixed_work(Transport& transport);

}  // namespace postage
