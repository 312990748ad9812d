#include <postage/base/error.hpp>
#include <postage/transport/strided.hpp>
#include <postage/transport/transport.hpp>

#include <cstring>
#include <vector>

namespace postage {
namespace {

/// Copies runs of a length that the compiler knows, so that short ones become single moves.
template <std::size_t Length>
void copy_short_runs(const std::byte* from, Bytes from_step, std::byte* to, Bytes to_step, std::int64_t runs) {
  for (std::int64_t i = 0; i < runs; ++i) {
    std::memcpy(to + i * to_step, from + i * from_step, Length);
  }
}

void copy_runs(const std::byte* from, Bytes from_step, std::byte* to, Bytes to_step, const StridedLayout& layout) {
  switch (layout.run_bytes) {
    case 1:
      return copy_short_runs<1>(from, from_step, to, to_step, layout.runs);
    case 4:
      return copy_short_runs<4>(from, from_step, to, to_step, layout.runs);
    case 8:
      return copy_short_runs<8>(from, from_step, to, to_step, layout.runs);
    default:
      break;
  }
  for (std::int64_t i = 0; i < layout.runs; ++i) {
    std::memcpy(to + i * to_step, from + i * from_step, static_cast<std::size_t>(layout.run_bytes));
  }
}

}  // namespace

void pack(std::span<const std::byte> memory, const StridedLayout& layout, std::span<std::byte> packed) {
  copy_runs(memory.data(), layout.stride, packed.data(), layout.run_bytes, layout);
}

void unpack(std::span<const std::byte> packed, const StridedLayout& layout, std::span<std::byte> memory) {
  copy_runs(packed.data(), layout.run_bytes, memory.data(), layout.stride, layout);
}

void copy_pieces(std::span<const std::byte> from, std::span<std::byte> to, const StridedLayout& layout) {
  const auto run = static_cast<std::size_t>(layout.run_bytes);
  const bool backwards = from.data() < to.data();
  for (std::int64_t i = 0; i < layout.runs; ++i) {
    const std::int64_t at = (backwards ? layout.runs - 1 - i : i) * layout.stride;
    std::memmove(to.data() + at, from.data() + at, run);
  }
}

double packing_operations(const StridedLayout& layout) {
  return layout.stride == layout.run_bytes ? 0
                                           : static_cast<double>(layout.runs) + static_cast<double>(layout.bytes()) / 8;
}

void Transport::send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                             int tag) {
  std::vector<std::byte> packed(static_cast<std::size_t>(layout.bytes()));
  pack(memory, layout, packed);
  account_for(packing_operations(layout));
  send(packed, target, tag);
}

void Transport::receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source,
                                int tag) {
  std::vector<std::byte> packed(static_cast<std::size_t>(layout.bytes()));
  receive(packed, source, tag);
  unpack(packed, layout, memory);
  account_for(packing_operations(layout));
}

void Transport::account_for(double /*operations*/) {}

Transport::Request Transport::start_send_strided(std::span<const std::byte> /*memory*/, const StridedLayout& /*layout*/,
                                                 std::int32_t /*target*/, int /*tag*/) {
  throw UsageError("messages here are contiguous; leave out the stride");
}

Transport::Request Transport::start_receive_strided(std::span<std::byte> /*memory*/, const StridedLayout& /*layout*/,
                                                    std::int32_t /*source*/, int /*tag*/) {
  throw UsageError("messages here are contiguous; leave out the stride");
}

void Transport::call_library(const LibraryCall& /*call*/) {
  throw UsageError("messages here have no library with collectives of its own; name an algorithm instead of 'library'");
}

}  // namespace postage
