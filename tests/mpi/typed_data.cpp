#include "mpi/typed_data.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace postage {
namespace {

constexpr std::array kNumbers{Kind::kInteger, Kind::kFloating};

/// inout = in after inout, as functions: in(inout(x)).
void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  const std::size_t step = extent_of(*type);
  const std::size_t second = step - sizeof(std::uint32_t);
  for (int i = 0; i < *count; ++i) {
    const auto read = [&](const void* from, std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, static_cast<const std::byte*>(from) + static_cast<std::size_t>(i) * step + at, sizeof value);
      return value;
    };
    const std::uint32_t factor = read(in, 0) * read(inout, 0);
    const std::uint32_t summand = read(in, 0) * read(inout, second) + read(in, second);
    std::byte* const out = static_cast<std::byte*>(inout) + static_cast<std::size_t>(i) * step;
    std::memcpy(out, &factor, sizeof factor);
    std::memcpy(out + second, &summand, sizeof summand);
  }
}

template <typename Value>
void store(std::byte* at, Value value) {
  std::memcpy(at, &value, sizeof value);
}

void write_number(Kind kind, std::size_t size, int value, std::byte* at) {
  if (kind == Kind::kFloating) {
    switch (size) {
      case sizeof(float):
        return store(at, static_cast<float>(value));
      case sizeof(double):
        return store(at, static_cast<double>(value));
      default: {
        const long double wide = value;
        std::memcpy(at, &wide, 10);  // the rest is padding
        return;
      }
    }
  }
  const auto wide = static_cast<std::int64_t>(value);
  std::memcpy(at, &wide, std::min(size, sizeof wide));
}

/// A value and, at the first place for an int after it, the rank.
void write_pair(MPI_Datatype type, int value, int rank, std::byte* at) {
  if (type == MPI_FLOAT_INT) {
    store(at, static_cast<float>(value));
    store(at + sizeof(float), rank);
  } else if (type == MPI_DOUBLE_INT) {
    store(at, static_cast<double>(value));
    store(at + sizeof(double), rank);
  } else if (type == MPI_LONG_INT) {
    store(at, static_cast<long>(value));
    store(at + sizeof(long), rank);
  } else if (type == MPI_2INT) {
    store(at, value);
    store(at + sizeof(int), rank);
  } else if (type == MPI_SHORT_INT) {
    store(at, static_cast<short>(value));
    store(at + sizeof(int), rank);
  } else {
    write_number(Kind::kFloating, sizeof(long double), value, at);
    store(at + sizeof(long double), rank);
  }
}

}  // namespace

bool OperationUnderTest::takes(Kind kind) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

TypedData::TypedData() {
  types_ = {{"CHAR", MPI_CHAR, Kind::kOpaque},
            {"SIGNED_CHAR", MPI_SIGNED_CHAR, Kind::kInteger},
            {"UNSIGNED_CHAR", MPI_UNSIGNED_CHAR, Kind::kInteger},
            {"SHORT", MPI_SHORT, Kind::kInteger},
            {"UNSIGNED_SHORT", MPI_UNSIGNED_SHORT, Kind::kInteger},
            {"INT", MPI_INT, Kind::kInteger},
            {"UNSIGNED", MPI_UNSIGNED, Kind::kInteger},
            {"LONG", MPI_LONG, Kind::kInteger},
            {"UNSIGNED_LONG", MPI_UNSIGNED_LONG, Kind::kInteger},
            {"LONG_LONG", MPI_LONG_LONG, Kind::kInteger},
            {"UNSIGNED_LONG_LONG", MPI_UNSIGNED_LONG_LONG, Kind::kInteger},
            {"INT8_T", MPI_INT8_T, Kind::kInteger},
            {"INT16_T", MPI_INT16_T, Kind::kInteger},
            {"INT32_T", MPI_INT32_T, Kind::kInteger},
            {"INT64_T", MPI_INT64_T, Kind::kInteger},
            {"UINT8_T", MPI_UINT8_T, Kind::kInteger},
            {"UINT16_T", MPI_UINT16_T, Kind::kInteger},
            {"UINT32_T", MPI_UINT32_T, Kind::kInteger},
            {"UINT64_T", MPI_UINT64_T, Kind::kInteger},
            {"AINT", MPI_AINT, Kind::kInteger},
            {"OFFSET", MPI_OFFSET, Kind::kInteger},
            {"COUNT", MPI_COUNT, Kind::kInteger},
            {"FLOAT", MPI_FLOAT, Kind::kFloating},
            {"DOUBLE", MPI_DOUBLE, Kind::kFloating},
            {"LONG_DOUBLE", MPI_LONG_DOUBLE, Kind::kFloating},
            {"C_FLOAT_COMPLEX", MPI_C_FLOAT_COMPLEX, Kind::kComplex},
            {"C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, Kind::kComplex},
            {"C_LONG_DOUBLE_COMPLEX", MPI_C_LONG_DOUBLE_COMPLEX, Kind::kComplex},
            {"C_BOOL", MPI_C_BOOL, Kind::kLogical},
            {"WCHAR", MPI_WCHAR, Kind::kOpaque},
            {"BYTE", MPI_BYTE, Kind::kByte},
            {"FLOAT_INT", MPI_FLOAT_INT, Kind::kPair},
            {"DOUBLE_INT", MPI_DOUBLE_INT, Kind::kPair},
            {"LONG_INT", MPI_LONG_INT, Kind::kPair},
            {"2INT", MPI_2INT, Kind::kPair},
            {"SHORT_INT", MPI_SHORT_INT, Kind::kPair},
            {"LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, Kind::kPair}};
  MPI_Datatype dense = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_UINT32_T, &dense);
  MPI_Type_commit(&dense);
  types_.push_back({"two numbers", dense, Kind::kFunction});
  MPI_Datatype with_gap = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_UINT32_T, &with_gap);
  MPI_Type_commit(&with_gap);
  types_.push_back({"two numbers with a gap", with_gap, Kind::kFunction});

  const std::vector<Kind> numbers(kNumbers.begin(), kNumbers.end());
  operations_ = {{"SUM", MPI_SUM, {Kind::kInteger, Kind::kFloating, Kind::kComplex}},
                 // Not complex ones: the sign of a zero in a product depends on the order.
                 {"PROD", MPI_PROD, numbers},
                 {"MIN", MPI_MIN, numbers},
                 {"MAX", MPI_MAX, numbers},
                 {"LAND", MPI_LAND, {Kind::kInteger, Kind::kLogical}},
                 {"LXOR", MPI_LXOR, {Kind::kInteger, Kind::kLogical}},
                 {"BOR", MPI_BOR, {Kind::kInteger, Kind::kByte}},
                 {"BXOR", MPI_BXOR, {Kind::kInteger, Kind::kByte}},
                 {"MAXLOC", MPI_MAXLOC, {Kind::kPair}},
                 {"MINLOC", MPI_MINLOC, {Kind::kPair}}};
  MPI_Op composition = MPI_OP_NULL;
  MPI_Op_create(compose, 0, &composition);
  operations_.push_back({"composition", composition, {Kind::kFunction}, false});
}

TypedData::~TypedData() {
  MPI_Op_free(&operations_.back().op);
  MPI_Type_free(&types_.back().type);
  MPI_Type_free(&types_[types_.size() - 2].type);
}

const TypeUnderTest& TypedData::type(const std::string& name) const {
  return *std::find_if(types_.begin(), types_.end(), [&](const auto& type) { return type.name == name; });
}

const OperationUnderTest& TypedData::operation(const std::string& name) const {
  return *std::find_if(operations_.begin(), operations_.end(), [&](const auto& op) { return op.name == name; });
}

std::size_t extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(type, &lower, &extent);
  return static_cast<std::size_t>(extent);
}

std::size_t size_of(MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(size);
}

void write_element(const TypeUnderTest& type, int rank, int i, std::byte* at) {
  const std::size_t size = size_of(type.type);
  const auto mixed = static_cast<std::uint32_t>(rank) * 2654435761U + static_cast<std::uint32_t>(i) * 40503U + 77U;
  const std::uint32_t chosen = (mixed ^ mixed >> 13U) * 2246822519U >> 16U;
  const int small = chosen % 7 == 0 ? 2 : chosen % 2 == 0 ? 1 : -1;
  switch (type.kind) {
    case Kind::kInteger:
      // Not negative: Open MPI 4.1.4 adds unsigned integers with saturation, but only where there are enough of them.
      return write_number(type.kind, size, small + 1, at);
    case Kind::kFloating:
      return write_number(type.kind, size, small, at);
    case Kind::kComplex:
      write_number(Kind::kFloating, size / 2, chosen % 2 == 0 ? 1 : -1, at);
      return write_number(Kind::kFloating, size / 2, 1, at + size / 2);
    case Kind::kLogical:
      return store(at, small == 1);
    case Kind::kPair:
      return write_pair(type.type, small, rank, at);
    case Kind::kFunction:
      store(at, chosen * 2 + 1);
      return store(at + extent_of(type.type) - sizeof chosen, mixed);
    case Kind::kByte:
    case Kind::kOpaque:
      for (std::size_t byte = 0; byte < size; ++byte) {
        at[byte] = static_cast<std::byte>(chosen + 31 * byte);
      }
  }
}

std::vector<std::byte> packed(const std::byte* elements, int count, MPI_Datatype type) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(count) * size_of(type));
  if (bytes.empty()) {
    return bytes;  // MPI refuses to pack nothing to nowhere
  }
  int position = 0;
  MPI_Pack(elements, count, type, bytes.data(), static_cast<int>(bytes.size()), &position, MPI_COMM_SELF);
  return bytes;
}

}  // namespace postage
