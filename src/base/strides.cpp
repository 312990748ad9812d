#include <postage/base/error.hpp>
#include <postage/base/strides.hpp>

#include <fmt/format.h>

namespace postage {

Strides parse_strides(std::string_view stride, std::string_view run) {
  const Bytes distance = parse_bytes(stride);
  if (distance == 0) {
    return {};
  }
  const Strides strides{parse_bytes(run), distance};
  if (strides.run < 1 || strides.stride < strides.run) {
    throw UsageError(fmt::format(
        "--stride {} and --run {}: pieces of {} bytes cannot begin {} bytes apart; the stride counts from the start of "
        "a piece to the start of the next, so give one of at least the run",
        stride, run, strides.run, strides.stride));
  }
  return strides;
}

void check_pieces(const Strides& strides, Bytes bytes) {
  if (bytes % strides.run != 0) {
    throw UsageError(
        fmt::format("a message of {} bytes is no whole number of pieces of {} bytes (--run)", bytes, strides.run));
  }
}

}  // namespace postage
