#include "preload/operation.hpp"

#include "preload/buffers.hpp"
#include "preload/kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace postage::preload {
namespace {

bool is_built_in(MPI_Op op) {
  for (const MPI_Op known : {MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN, MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR,
                             MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP}) {
    if (op == known) {
      return true;
    }
  }
  return false;
}

bool takes(MPI_Op op, TypeClass type) {
  const bool integer = type == TypeClass::kInteger;
  if (op == MPI_SUM || op == MPI_PROD) {
    return integer || type == TypeClass::kFloating || type == TypeClass::kComplex;
  }
  if (op == MPI_MAX || op == MPI_MIN) {
    return integer || type == TypeClass::kFloating;
  }
  if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR) {
    return integer || type == TypeClass::kLogical;
  }
  if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR) {
    return integer || type == TypeClass::kByte;
  }
  return (op == MPI_MAXLOC || op == MPI_MINLOC) && type == TypeClass::kPair;
}

/// Elements that stand in memory at once, so that it stays in a cache.
constexpr Bytes kUnpackedBytes = Bytes{64} << 10;

/// Calls act(first, number) for parts of so many elements, as MPI counts them.
template <typename Act>
void for_each_part(std::int64_t elements, std::int64_t most, const Act& act) {
  for (std::int64_t first = 0; first < elements; first += most) {
    act(first, static_cast<int>(std::min(most, elements - first)));
  }
}

/// Elements out of a message, where the datatype has them: the address that an MPI function is given.
std::byte* unpacked(const std::byte* message, int count, const Datatype& type, int room) {
  constexpr Bytes kAlignment = 16;
  const Bytes last = (count - 1) * type.extent;
  const Bytes low = std::min<Bytes>(last, 0) + type.first_byte;
  const Bytes high = std::max<Bytes>(last, 0) + type.end_byte;
  const Bytes before = (low % kAlignment + kAlignment) % kAlignment;
  std::byte* const memory = thread_room(room, before + high - low);
  // Maybe far from any memory, as where the datatype has absolute addresses.
  auto* const elements = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(memory) +
                                                      static_cast<std::uintptr_t>(before - low));
  unpack(message, count, type, elements);
  return elements;
}

}  // namespace

bool Operation::is_valid(MPI_Op op, const Datatype& type) {
  return op != MPI_OP_NULL && (is_built_in(op) ? takes(op, type.type_class) : true);
}

bool Operation::takes_memory(MPI_Op op) {
  return is_built_in(op);
}

Bytes Operation::element_bytes(MPI_Op op, const Datatype& type) {
  return takes_memory(op) ? type.extent : type.size;
}

Operation::Operation(MPI_Op op, const Datatype& type) : op_(op), type_(type) {
  reduction_ = {.element_bytes = element_bytes(op, type), .combine = kernel_of(op, type), .context = this};
  if (reduction_.combine == nullptr) {
    reduction_.combine = type.is_contiguous || takes_memory(op) ? combine_memory : combine_messages;
  }
  reduction_.commutative = commutes(op);
}

bool Operation::commutes(MPI_Op op) {
  int commutes = 1;
  if (!is_built_in(op)) {
    PMPI_Op_commutative(op, &commutes);
  }
  return commutes != 0;
}

void Operation::combine_memory(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                               Bytes bytes) {
  const auto& self = *static_cast<const Operation*>(context);
  if (out != right) {
    std::memcpy(out, right, static_cast<std::size_t>(bytes));
  }
  const Bytes extent = self.type_.extent;
  for_each_part(bytes / extent, std::int64_t{1} << 30, [&](std::int64_t first, int count) {
    PMPI_Reduce_local(left + first * extent, out + first * extent, count, self.type_.handle, self.op_);
  });
}

void Operation::combine_messages(const void* context, const std::byte* left, const std::byte* right, std::byte* out,
                                 Bytes bytes) {
  const auto& self = *static_cast<const Operation*>(context);
  const Datatype& type = self.type_;
  const Bytes most = kUnpackedBytes / std::max<Bytes>({std::abs(type.extent), type.end_byte - type.first_byte, 1});
  for_each_part(bytes / type.size, std::max<Bytes>(most, 1), [&](std::int64_t first, int count) {
    const Bytes at = first * type.size;
    std::byte* const from = unpacked(left + at, count, type, 2);
    std::byte* const to = unpacked(right + at, count, type, 3);
    PMPI_Reduce_local(from, to, count, type.handle, self.op_);
    pack(to, count, type, out + at);
  });
}

}  // namespace postage::preload
