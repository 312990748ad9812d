#pragma once

#include <postage/base/units.hpp>

#include <string_view>

namespace postage {

/// Where the bytes of a buffer that is not contiguous lie: in pieces of `run` bytes, the array's elements, whose
/// beginnings are `stride` bytes apart; stride >= run > 0. Tu et al., 2009, section II.A: "stride distances in bytes
/// between array elements", where a stride of one element is a contiguous message.
struct Strides {
  Bytes run = 1;
  Bytes stride = 1;

  [[nodiscard]] bool is_contiguous() const { return run == stride; }
  /// From the first byte in memory to behind the last one, of so many bytes of data: a whole number of pieces.
  [[nodiscard]] Bytes extent(Bytes bytes) const {
    return is_contiguous() || bytes == 0 ? bytes : (bytes / run - 1) * stride + run;
  }
  /// The inverse of extent.
  [[nodiscard]] Bytes data_in(Bytes extent) const {
    return is_contiguous() || extent == 0 ? extent : (extent - run) / stride * run + run;
  }
  /// Where the piece that begins with this byte of the data begins in memory.
  [[nodiscard]] Bytes offset(Bytes at) const { return is_contiguous() ? at : at / run * stride; }
  /// False for a message of one piece, or of none.
  [[nodiscard]] bool separates(Bytes bytes) const { return !is_contiguous() && bytes > run; }
  bool operator==(const Strides&) const = default;
};

/// Bytes of a piece where none are given: an int or a float.
inline constexpr std::string_view kUsualRun = "4";

/// Reads --stride and --run; a stride of 0 is a contiguous message. Throws UsageError where pieces would overlap.
[[nodiscard]] Strides parse_strides(std::string_view stride, std::string_view run);

/// Throws UsageError where a message of so many bytes is no whole number of pieces.
void check_pieces(const Strides& strides, Bytes bytes);

}  // namespace postage
