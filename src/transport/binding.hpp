#pragma once

namespace postage {

/// The first hardware thread that this process may run on if all of them belong to one core; -1 if it may move between
/// cores, or the system does not say.
[[nodiscard]] int bound_hardware_thread();

}  // namespace postage
