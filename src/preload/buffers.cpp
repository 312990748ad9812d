#include "preload/buffers.hpp"

#include <array>

namespace postage::preload {
namespace {

constexpr std::size_t kRooms = 4;

std::vector<Bytes>& thread_sizes(int which) {
  static thread_local std::array<std::vector<Bytes>, kRooms> sizes;
  return sizes[static_cast<std::size_t>(which)];
}

}  // namespace

std::byte* thread_room(int which, Bytes bytes) {
  static thread_local std::array<std::vector<std::byte>, kRooms> rooms;
  std::vector<std::byte>& room = rooms[static_cast<std::size_t>(which)];
  if (room.size() < static_cast<std::size_t>(bytes)) {
    room.resize(static_cast<std::size_t>(bytes));
  }
  return room.data();
}

const std::byte* packed(const void* elements, std::int64_t count, const Datatype& type, int room) {
  if (type.is_contiguous) {
    return static_cast<const std::byte*>(elements);
  }
  std::byte* const bytes = thread_room(room, count * type.size);
  pack(elements, count, type, bytes);
  return bytes;
}

ReceivedBlocks::ReceivedBlocks(void* elements, std::int64_t count, const Datatype& type, std::int64_t blocks)
    : elements_(elements),
      count_(count),
      type_(type),
      blocks_(blocks),
      data_(type.is_contiguous ? static_cast<std::byte*>(elements) : thread_room(1, blocks * count * type.size)) {}

const std::byte* ReceivedBlocks::load(std::int64_t block) {
  std::byte* const at = data_ + block * block_bytes();
  if (!type_.is_contiguous) {
    pack(static_cast<std::byte*>(elements_) + block * count_ * type_.extent, count_, type_, at);
  }
  return at;
}

void ReceivedBlocks::store() {
  if (!type_.is_contiguous) {
    unpack(data_, blocks_ * count_, type_, elements_);
  }
}

IrregularBlocks::IrregularBlocks(const void* elements, const Integers& counts, const Integers& displacements,
                                 const Datatype& type, std::int32_t ranks, int room)
    : elements_(static_cast<std::byte*>(const_cast<void*>(elements))),
      element_counts_(counts),
      displacements_(displacements),
      type_(type),
      counts_(thread_sizes(room)),
      offsets_(thread_sizes(room + 2)),
      data_(elements_) {
  counts_.resize(static_cast<std::size_t>(ranks));
  offsets_.resize(static_cast<std::size_t>(ranks));
  Bytes sum = 0;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    counts_[index] = counts[rank] * type.size;
    offsets_[index] = type.is_contiguous ? displacements[rank] * type.extent : sum;
    sum += counts_[index];
  }
  if (!type.is_contiguous) {
    data_ = thread_room(room, sum);
  }
}

std::byte* IrregularBlocks::elements_of(std::int32_t rank) const {
  return elements_ + displacements_[rank] * type_.extent;
}

void IrregularBlocks::load(std::int32_t rank) {
  if (!type_.is_contiguous) {
    pack(elements_of(rank), element_counts_[rank], type_, block(rank));
  }
}

void IrregularBlocks::load_all() {
  for (std::size_t rank = 0; rank < counts_.size(); ++rank) {
    load(static_cast<std::int32_t>(rank));
  }
}

void IrregularBlocks::store(std::int32_t except) {
  for (std::size_t rank = 0; !type_.is_contiguous && rank < counts_.size(); ++rank) {
    if (static_cast<std::int32_t>(rank) != except) {
      const auto number = static_cast<std::int32_t>(rank);
      unpack(block(number), element_counts_[number], type_, elements_of(number));
    }
  }
}

}  // namespace postage::preload
