#pragma once

namespace postage {

/// From now on malloc keeps what the process frees, blocks of up to 32 MiB, instead of giving it back to the system:
/// what is allocated next are no new pages, each of which costs a fault.
void keep_freed_memory();

}  // namespace postage
