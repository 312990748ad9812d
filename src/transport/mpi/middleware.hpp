#pragma once

#include <postage/transport/strided.hpp>

#include <mpi.h>

#include <cstdint>
#include <memory>

namespace postage {

/// What messages take the simulated processors at their ends.
class Middleware {
 public:
  Middleware() = default;
  Middleware(const Middleware&) = delete;
  Middleware& operator=(const Middleware&) = delete;
  virtual ~Middleware() = default;
  /// Lets the time pass that one end of a message to or from the peer takes.
  virtual void spend(const StridedLayout& layout, std::int32_t peer) const = 0;
};

/// Of a simulated platform whose hosts have the property postage/middleware; null elsewhere. Its value lists what one
/// end of a message takes, in seconds: WHERE BYTES STRIDE SECONDS, with ';' between entries, where WHERE is `node` for
/// messages within a host and `network` for others, and the stride of contiguous messages is 0. Linear between sizes,
/// and between strides. Collective. Throws Error for a property of another form.
[[nodiscard]] std::unique_ptr<Middleware> middleware_of(MPI_Comm communicator);

}  // namespace postage
