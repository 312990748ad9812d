#include "preload/datatype.hpp"

#include "preload/job.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace postage::preload {
namespace {

bool is_among(MPI_Datatype type, std::initializer_list<MPI_Datatype> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// Fortran's types exist, or are MPI_DATATYPE_NULL, as the library was built.
TypeClass class_of(MPI_Datatype type) {
  if (is_among(
          type,
          {MPI_INT,      MPI_LONG,           MPI_UNSIGNED,    MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG,
           MPI_SHORT,    MPI_UNSIGNED_SHORT, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,    MPI_INT16_T,
           MPI_INT32_T,  MPI_INT64_T,        MPI_UINT8_T,     MPI_UINT16_T,      MPI_UINT32_T,  MPI_UINT64_T,
           MPI_AINT,     MPI_OFFSET,         MPI_COUNT,       MPI_INTEGER,       MPI_INTEGER1,  MPI_INTEGER2,
           MPI_INTEGER4, MPI_INTEGER8})) {
    return TypeClass::kInteger;
  }
  if (is_among(type, {MPI_DOUBLE, MPI_FLOAT, MPI_LONG_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION, MPI_REAL4, MPI_REAL8})) {
    return TypeClass::kFloating;
  }
  if (is_among(type, {MPI_C_BOOL, MPI_LOGICAL})) {
    return TypeClass::kLogical;
  }
  if (is_among(type, {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_COMPLEX,
                      MPI_DOUBLE_COMPLEX})) {
    return TypeClass::kComplex;
  }
  if (is_among(type, {MPI_FLOAT_INT, MPI_DOUBLE_INT, MPI_LONG_INT, MPI_2INT, MPI_SHORT_INT, MPI_LONG_DOUBLE_INT,
                      MPI_2REAL, MPI_2DOUBLE_PRECISION, MPI_2INTEGER})) {
    return TypeClass::kPair;
  }
  return type == MPI_BYTE ? TypeClass::kByte : TypeClass::kOther;
}

bool is_dense(const Datatype& type) {
  return type.first_byte == 0 && type.end_byte == type.size && type.extent == type.size;
}

bool is_in_order(MPI_Datatype type);

/// The type that a constructor with one type was given; the caller frees it unless it is named.
bool is_in_order_within(MPI_Datatype type, int integers, int addresses, int types) {
  std::vector<int> integer_arguments(static_cast<std::size_t>(integers));
  std::vector<MPI_Aint> address_arguments(static_cast<std::size_t>(addresses));
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  PMPI_Type_get_contents(type, integers, addresses, types, integer_arguments.data(), address_arguments.data(), &inner);
  const bool result = is_in_order(inner);
  int ignored = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(inner, &ignored, &ignored, &ignored, &combiner);
  if (combiner != MPI_COMBINER_NAMED) {
    PMPI_Type_free(&inner);
  }
  return result;
}

/// Whether the elements' bytes lie in memory in the order in which they are sent. Sizes alone do not say so: an indexed
/// type may reverse them. Only what is built of one type without steps is looked into; the rest counts as disordered,
/// and is packed.
bool is_in_order(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  switch (combiner) {
    case MPI_COMBINER_NAMED:
      return true;
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_CONTIGUOUS:
    case MPI_COMBINER_RESIZED:
      return types == 1 && is_in_order_within(type, integers, addresses, types);
    default:
      return false;
  }
}

bool is_named(MPI_Datatype type) {
  int ignored = 0;
  int combiner = 0;
  PMPI_Type_get_envelope(type, &ignored, &ignored, &ignored, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}

Datatype inspect(MPI_Datatype handle) {
  Datatype type{.handle = handle};
  MPI_Count size = 0;
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  PMPI_Type_size_x(handle, &size);
  type.size = size;
  PMPI_Type_get_extent_x(handle, &lower, &extent);
  type.extent = extent;
  PMPI_Type_get_true_extent_x(handle, &lower, &extent);
  type.first_byte = lower;
  type.end_byte = lower + extent;
  type.is_named = is_named(handle);
  type.type_class = type.is_named ? class_of(handle) : TypeClass::kOther;
  type.is_contiguous = is_dense(type) && (type.is_named || is_in_order(handle));
  return type;
}

/// Named types that a thread has used: they are never freed, so their handles keep their meaning.
class KnownTypes {
 public:
  Datatype find(MPI_Datatype handle) {
    std::size_t number = 0;
    std::memcpy(&number, &handle, sizeof handle);
    Datatype& known = types_[(number ^ number >> 8) / 16 % types_.size()];
    if (known.handle == handle) {
      return known;
    }
    const Datatype found = inspect(handle);
    if (found.is_named) {
      known = found;
    }
    return found;
  }

 private:
  std::array<Datatype, 32> types_{};
};

/// MPI_Pack counts in int; a part is small enough for that.
template <typename Act>
void for_each_part(std::int64_t count, const Datatype& type, const Act& act) {
  const std::int64_t most = std::max<std::int64_t>((std::int64_t{1} << 30) / std::max<Bytes>(type.size, 1), 1);
  for (std::int64_t done = 0; done < count && type.size > 0; done += most) {
    act(done, static_cast<int>(std::min(most, count - done)));
  }
}

/// Elements at absolute addresses, from MPI_BOTTOM on, as elements at an address of which MPICH's MPI_Pack does not say
/// that it is a null pointer.
class Addressed {
 public:
  Addressed(const std::byte* elements, const Datatype& type) : elements_(elements), handle_(type.handle) {
    if (elements == nullptr) {
      const MPI_Aint back = -static_cast<MPI_Aint>(type.first_byte);
      PMPI_Type_create_hindexed_block(1, 1, &back, type.handle, &handle_);
      PMPI_Type_commit(&handle_);
      elements_ = reinterpret_cast<const std::byte*>(type.first_byte);
      is_own_ = true;
    }
  }
  ~Addressed() {
    if (is_own_) {
      PMPI_Type_free(&handle_);
    }
  }
  Addressed(const Addressed&) = delete;
  Addressed& operator=(const Addressed&) = delete;
  [[nodiscard]] const std::byte* elements() const { return elements_; }
  [[nodiscard]] MPI_Datatype handle() const { return handle_; }

 private:
  const std::byte* elements_;
  MPI_Datatype handle_;
  bool is_own_ = false;
};

}  // namespace

Bytes find_size(MPI_Datatype type) {
  MPI_Count size = 0;
  if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS) {
    return 0;
  }
  if (is_named(type)) {
    recent.type = type;
    recent.type_bytes = size;
  }
  return size;
}

Datatype describe(MPI_Datatype type) {
  static thread_local KnownTypes known;
  return known.find(type);
}

bool is_usable(MPI_Datatype type) {
  char nothing = 0;
  int position = 0;
  return type != MPI_DATATYPE_NULL &&
         (describe(type).is_named || PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, job().self) == MPI_SUCCESS);
}

void pack(const void* elements, std::int64_t count, const Datatype& type, std::byte* packed) {
  for_each_part(count, type, [&](std::int64_t first, int part) {
    int position = 0;
    const Addressed from(static_cast<const std::byte*>(elements) + first * type.extent, type);
    PMPI_Pack(from.elements(), part, from.handle(), packed + first * type.size, static_cast<int>(part * type.size),
              &position, MPI_COMM_SELF);
  });
}

void unpack(const std::byte* packed, std::int64_t count, const Datatype& type, void* elements) {
  for_each_part(count, type, [&](std::int64_t first, int part) {
    int position = 0;
    const Addressed to(static_cast<const std::byte*>(elements) + first * type.extent, type);
    PMPI_Unpack(packed + first * type.size, static_cast<int>(part * type.size), &position,
                const_cast<std::byte*>(to.elements()), part, to.handle(), MPI_COMM_SELF);
  });
}

}  // namespace postage::preload
