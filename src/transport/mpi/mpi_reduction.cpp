#include "transport/mpi/mpi_reduction.hpp"

#include "transport/mpi/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace postage {
namespace {

/// Unpacked elements take about so many bytes.
constexpr Bytes kRoom = 1 << 18;

/// Calls reduce(first byte, elements) for parts of at most `most` elements.
template <typename Reduce>
void for_each_part(std::size_t bytes, Bytes element_bytes, Index most, const Reduce& reduce) {
  const Index elements = bytes == 0 ? 0 : static_cast<Bytes>(bytes) / element_bytes;
  for (Index done = 0; done < elements; done += most) {
    reduce(done * element_bytes, std::min(most, elements - done));
  }
}

/// Memory for elements of a type, which need not begin at an element's address nor stand in ascending order.
class TypedRoom {
 public:
  TypedRoom(MPI_Datatype type, Index elements) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    MPI_Aint bytes = 0;
    check(MPI_Type_get_extent(type, &lower, &extent), "looking at a datatype");
    check(MPI_Type_get_true_extent(type, &lower, &bytes), "looking at a datatype");
    const MPI_Aint others = static_cast<MPI_Aint>(elements - 1) * std::abs(extent);
    room_.resize(static_cast<std::size_t>(bytes + others));
    first_ = room_.data() - lower + (extent < 0 ? others : 0);
  }

  [[nodiscard]] void* first() const { return first_; }

 private:
  std::vector<std::byte> room_;
  std::byte* first_;
};

void reduce_unpacked(MPI_Op op, const MpiType& type, std::span<const std::byte> left, std::span<std::byte> right) {
  const Index most = std::max<Index>(kRoom / std::max<Bytes>(std::abs(type.extent()), 1), 1);
  if (left.empty()) {
    return;
  }
  const Index elements = static_cast<Bytes>(left.size()) / type.size();
  const TypedRoom left_room(type.handle(), std::min(most, elements));
  const TypedRoom right_room(type.handle(), std::min(most, elements));
  for_each_part(left.size(), type.size(), most, [&](Bytes at, Index part) {
    type.unpack(left.data() + at, part, left_room.first());
    type.unpack(right.data() + at, part, right_room.first());
    check(MPI_Reduce_local(left_room.first(), right_room.first(), static_cast<int>(part), type.handle(), op),
          "reducing");
    type.pack(right_room.first(), part, right.data() + at);
  });
}

}  // namespace

Reduction mpi_reduction(MPI_Op op, const MpiType& type) {
  if (!type.is_dense()) {
    return [op, type](std::span<const std::byte> left, std::span<std::byte> right) {
      reduce_unpacked(op, type, left, right);
    };
  }
  return [op, type](std::span<const std::byte> left, std::span<std::byte> right) {
    for_each_part(left.size(), type.size(), std::numeric_limits<int>::max(), [&](Bytes at, Index part) {
      check(MPI_Reduce_local(left.data() + at, right.data() + at, static_cast<int>(part), type.handle(), op),
            "reducing");
    });
  };
}

bool is_commutative(MPI_Op op) {
  int commutes = 0;
  check(MPI_Op_commutative(op, &commutes), "looking at an operation");
  return commutes != 0;
}

}  // namespace postage
