#include "transport/mpi/typed_memory.hpp"

#include "transport/mpi/check.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace postage {
namespace {

/// True where the type's elements have no gaps and their parts lie in the order in which they are sent.
bool is_dense(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "looking at a datatype");
  if (combiner == MPI_COMBINER_NAMED) {
    MPI_Count size = 0;
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    check(MPI_Type_size_x(type, &size), "looking at a datatype");
    check(MPI_Type_get_extent(type, &lower, &extent), "looking at a datatype");
    return lower == 0 && size == extent;
  }
  if (combiner != MPI_COMBINER_DUP && combiner != MPI_COMBINER_CONTIGUOUS) {
    return false;
  }
  int count = 0;
  MPI_Aint unused = 0;
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(MPI_Type_get_contents(type, integers, addresses, types, &count, &unused, &inner), "looking at a datatype");
  const bool dense = is_dense(inner);
  check(MPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner), "looking at a datatype");
  if (combiner != MPI_COMBINER_NAMED) {
    MPI_Type_free(&inner);
  }
  return dense;
}

const std::byte* at(const void* address, Bytes offset) {
  return static_cast<const std::byte*>(address) + offset;
}

std::byte* at(void* address, Bytes offset) {
  return static_cast<std::byte*>(address) + offset;
}

/// Calls pack(elements done before, elements, packed bytes) for parts that MPI's counts can say.
template <typename Pack>
void for_each_countable_part(const MpiType& type, Index elements, const Pack& pack) {
  constexpr Bytes kMost = std::numeric_limits<int>::max();
  if (type.size() > kMost) {
    throw Error(fmt::format("an element of {} bytes is too large to be packed; MPI's limit is {}", type.size(), kMost));
  }
  const Index most = kMost / std::max<Bytes>(type.size(), 1);
  for (Index done = 0; type.size() > 0 && done < elements; done += most) {
    const Index part = std::min(most, elements - done);
    pack(done, static_cast<int>(part), static_cast<int>(part * type.size()));
  }
}

void pack(const void* address, const TypedShape& shape, std::byte* to) {
  for (const ElementRun& run : shape.runs) {
    shape.type.pack(at(address, run.first * shape.type.extent()), run.count, to);
    to += run.count * shape.type.size();
  }
}

void unpack(const std::byte* from, const TypedShape& shape, void* address) {
  for (const ElementRun& run : shape.runs) {
    shape.type.unpack(from, run.count, at(address, run.first * shape.type.extent()));
    from += run.count * shape.type.size();
  }
}

}  // namespace

MpiType::MpiType(MPI_Datatype type) : type_(type) {
  MPI_Count size = 0;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_size_x(type, &size), "looking at a datatype");
  check(MPI_Type_get_extent(type, &lower, &extent), "looking at a datatype");
  size_ = size;
  extent_ = extent;
  is_dense_ = postage::is_dense(type);
}

void MpiType::pack(const void* from, Index elements, std::byte* to) const {
  for_each_countable_part(*this, elements, [&](Index done, int part, int bytes) {
    int position = 0;
    check(MPI_Pack(at(from, done * extent_), part, type_, to + done * size_, bytes, &position, MPI_COMM_SELF),
          "packing");
    if (position != bytes) {
      throw Error(fmt::format("MPI packs {} bytes of data into {}", bytes, position));
    }
  });
}

void MpiType::unpack(const std::byte* from, Index elements, void* to) const {
  for_each_countable_part(*this, elements, [&](Index done, int part, int bytes) {
    int position = 0;
    check(MPI_Unpack(from + done * size_, bytes, &position, at(to, done * extent_), part, type_, MPI_COMM_SELF),
          "unpacking");
  });
}

TypedShape TypedShape::of(const MpiType& type, std::span<const int> counts, const int* displacements) {
  TypedShape shape{type};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) {
      continue;
    }
    if (!shape.runs.empty() && shape.runs.back().first + shape.runs.back().count == displacements[i]) {
      shape.runs.back().count += counts[i];
    } else {
      shape.runs.push_back({displacements[i], counts[i]});
    }
  }
  return shape;
}

Bytes TypedShape::bytes() const {
  Bytes bytes = 0;
  for (const ElementRun& run : runs) {
    bytes += run.count * type.size();
  }
  return bytes;
}

std::optional<Bytes> TypedShape::dense_offset() const {
  if (bytes() == 0) {
    return 0;
  }
  if (type.is_dense() && runs.size() == 1) {
    return runs.front().first * type.extent();
  }
  return std::nullopt;
}

GivenBytes::GivenBytes(const void* address, const TypedShape& shape) {
  if (const auto offset = shape.dense_offset()) {
    bytes_ = {at(address, *offset), static_cast<std::size_t>(shape.bytes())};
    return;
  }
  copy_.resize(static_cast<std::size_t>(shape.bytes()));
  pack(address, shape, copy_.data());
  bytes_ = copy_;
}

WantedBytes::WantedBytes(void* address, const TypedShape& given, const TypedShape& wanted)
    : address_(address), wanted_(wanted) {
  const TypedShape& larger = given.bytes() > wanted.bytes() ? given : wanted;
  const auto bytes = static_cast<std::size_t>(larger.bytes());
  if (const auto offset = larger.dense_offset()) {
    bytes_ = {at(address, *offset), bytes};
    return;
  }
  room_.resize(bytes);
  pack(address, given, room_.data());
  bytes_ = room_;
}

void WantedBytes::deliver() const {
  if (!room_.empty()) {
    unpack(room_.data(), wanted_, address_);
  }
}

}  // namespace postage
