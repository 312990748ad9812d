#include "memory.hpp"

#include <algorithm>

namespace postage {
namespace {

constexpr std::size_t kGuard = 64;

std::string place_of(std::ptrdiff_t byte, MPI_Aint extent) {
  return "byte " + std::to_string(byte) + " (elements of " + std::to_string(extent) + " bytes)";
}

}  // namespace

Memory::Memory(const TestType& type, int elements, std::uint64_t seed) : elements_(elements) {
  MPI_Aint lower = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  MPI_Type_get_extent(type.type, &lower, &extent_);
  MPI_Type_get_true_extent(type.type, &true_lower, &true_extent);
  const MPI_Aint before = std::max<MPI_Aint>(0, -true_lower);
  const MPI_Aint last = elements > 0 ? (elements - 1) * extent_ : 0;
  const MPI_Aint behind = std::max<MPI_Aint>(elements > 0 ? last + std::max(extent_, true_lower + true_extent) : 0, 0);
  constexpr MPI_Aint kAlignment = 16;
  const MPI_Aint aligned_before = (before + kAlignment - 1) / kAlignment * kAlignment;
  first_ = kGuard;
  origin_ = kGuard + static_cast<std::size_t>(aligned_before);
  end_ = origin_ + static_cast<std::size_t>(behind);
  bytes_.resize(end_ + kGuard);
  Random random(seed);
  for (std::size_t at = 0; at < bytes_.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(bytes_.data() + at, &word, std::min(sizeof word, bytes_.size() - at));
  }
  for (int i = 0; type.kind.fill != nullptr && i < elements; ++i) {
    type.kind.fill(address() + i * extent_, random);
  }
}

void Memory::forget_from(int element) {
  const auto from = static_cast<std::ptrdiff_t>(origin_) + element * extent_;
  std::fill(bytes_.begin() + from, bytes_.begin() + std::max(from, static_cast<std::ptrdiff_t>(end_)), std::byte{0});
}

bool Memory::is_guard(std::size_t byte) const {
  return byte < first_ || byte >= end_;
}

std::optional<std::string> Memory::difference(const Memory& other, const TestType& type, double roundings,
                                              double scale) const {
  const bool by_values = type.kind.close != nullptr;
  if (bytes_ == other.bytes_) {
    return std::nullopt;
  }
  for (std::size_t byte = 0; byte < bytes_.size(); ++byte) {
    if (bytes_[byte] != other.bytes_[byte] && (!by_values || is_guard(byte))) {
      return (is_guard(byte) ? "guard " : "") +
             place_of(static_cast<std::ptrdiff_t>(byte) - static_cast<std::ptrdiff_t>(origin_), extent_);
    }
  }
  for (int i = 0; by_values && i < elements_; ++i) {
    if (!type.kind.close(address() + i * extent_, other.address() + i * extent_, roundings, scale)) {
      return "element " + std::to_string(i);
    }
  }
  return std::nullopt;
}

}  // namespace postage
