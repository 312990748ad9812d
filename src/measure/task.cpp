#include "measure/task.hpp"

#include <postage/base/error.hpp>
#include <postage/base/units.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace postage {

std::span<std::byte> Workspace::grown(std::vector<std::byte>& memory, Bytes bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  const auto refuse = [&] {
    return Error(
        fmt::format("there is no memory for messages of {} on each rank; give smaller sizes", format_bytes(bytes)));
  };
  try {
    memory.resize(std::max(memory.size(), size), std::byte{1});
  } catch (const std::bad_alloc&) {
    throw refuse();
  } catch (const std::length_error&) {
    throw refuse();
  }
  return std::span(memory).first(size);
}

}  // namespace postage
