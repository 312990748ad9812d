#include "types.hpp"

#include <atomic>
#include <cstdint>

namespace postage {
namespace {

std::atomic<int> foreign{0};
thread_local MPI_Datatype expected = MPI_DATATYPE_NULL;

void check_datatype(const MPI_Datatype* type) {
  foreign += expected != MPI_DATATYPE_NULL && *type != expected ? 1 : 0;
}

/// x -> factor x + offset modulo 2^32: composing such maps is associative and not commutative.
struct AffineMap {
  std::uint32_t factor;
  std::uint32_t offset;
};

/// The same with a gap behind it, which belongs to nobody.
struct SpacedMap {
  AffineMap map;
  std::uint32_t gap;
};

void compose(const AffineMap& left, AffineMap& right) {
  right = {left.factor * right.factor, left.factor * right.offset + left.offset};
}

void compose_maps(void* in, void* inout, int* count, MPI_Datatype* type) {
  check_datatype(type);
  for (int i = 0; i < *count; ++i) {
    compose(static_cast<const AffineMap*>(in)[i], static_cast<AffineMap*>(inout)[i]);
  }
}

void compose_spaced_maps(void* in, void* inout, int* count, MPI_Datatype* type) {
  check_datatype(type);
  for (int i = 0; i < *count; ++i) {
    compose(static_cast<const SpacedMap*>(in)[i].map, static_cast<SpacedMap*>(inout)[i].map);
  }
}

void add_modulo(void* in, void* inout, int* count, MPI_Datatype* type) {
  check_datatype(type);
  constexpr std::uint64_t kPrime = 1'000'000'007;
  const auto* from = static_cast<const std::uint32_t*>(in);
  auto* to = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *count; ++i) {
    to[i] = static_cast<std::uint32_t>((std::uint64_t{from[i]} + to[i]) % kPrime);
  }
}

/// Two blocks of one unsigned int each, three apart: their sums.
void add_vectors(void* in, void* inout, int* count, MPI_Datatype* type) {
  check_datatype(type);
  const auto* from = static_cast<const std::uint32_t*>(in);
  auto* to = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *count; ++i, from += 4, to += 4) {
    to[0] += from[0];
    to[3] += from[3];
  }
}

MPI_Op operation(MPI_User_function* function, bool commutes) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(function, commutes ? 1 : 0, &op);
  return op;
}

MPI_Datatype unsigned_ints(int count, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Datatype whole = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(count, MPI_UNSIGNED, &type);
  MPI_Type_create_resized(type, 0, extent, &whole);
  MPI_Type_commit(&whole);
  return whole;
}

MPI_Datatype two_apart() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_UNSIGNED, &type);
  MPI_Type_commit(&type);
  return type;
}

class List {
 public:
  void add(const TestType& type, const TestOperation& operation) { list_.push_back({type, operation}); }

  template <typename Type>
  void add_integer(const std::string& name, MPI_Datatype type) {
    const TestType element{name, type, plain_kind<Type>()};
    const std::vector<TestOperation> operations{
        {"sum", MPI_SUM},          {"product", MPI_PROD},   {"max", MPI_MAX},          {"min", MPI_MIN},
        {"bitwise and", MPI_BAND}, {"bitwise or", MPI_BOR}, {"bitwise xor", MPI_BXOR}, {"and", MPI_LAND},
        {"or", MPI_LOR},           {"xor", MPI_LXOR}};
    for (const TestOperation& operation : operations) {
      add(element, operation);
    }
  }

  template <typename Type>
  void add_real(const std::string& name, MPI_Datatype type) {
    add_complex<Type>(name, type);
    add({name, type, plain_kind<Type>()}, {"max", MPI_MAX});
    add({name, type, plain_kind<Type>()}, {"min", MPI_MIN});
  }

  template <typename Type>
  void add_complex(const std::string& name, MPI_Datatype type) {
    add({name, type, plain_kind<Type>()}, {"sum", MPI_SUM, true});
    add({name, type, plain_kind<Type>()}, {"product", MPI_PROD, true});
  }

  template <typename Type>
  void add_located(const std::string& name, MPI_Datatype type) {
    add({name, type, located_kind<Type>()}, {"minloc", MPI_MINLOC});
    add({name, type, located_kind<Type>()}, {"maxloc", MPI_MAXLOC});
  }

  void add_users() {
    add({"unsigned", MPI_UNSIGNED}, {"sum modulo a prime (user's)", operation(add_modulo, true)});
    add({"affine map", unsigned_ints(2, 8)}, {"composition (user's, not commutative)", operation(compose_maps, false)});
    add({"affine map with a gap", unsigned_ints(2, 12)},
        {"composition (user's, not commutative)", operation(compose_spaced_maps, false)});
    add({"vector", two_apart()}, {"sum (user's)", operation(add_vectors, true)});
    add({"vector", two_apart()}, {"sum (user's, said not to commute)", operation(add_vectors, false)});
  }

  [[nodiscard]] std::vector<TestReduction> take() { return std::move(list_); }

 private:
  std::vector<TestReduction> list_;
};

}  // namespace

std::vector<TestReduction> reductions() {
  List list;
  list.add_integer<std::int8_t>("int8", MPI_INT8_T);
  list.add_integer<std::uint16_t>("uint16", MPI_UINT16_T);
  list.add_integer<int>("int", MPI_INT);
  list.add_integer<std::uint64_t>("uint64", MPI_UINT64_T);
  list.add({"byte", MPI_BYTE}, {"bitwise xor", MPI_BXOR});
  list.add({"bool", MPI_C_BOOL, plain_kind<bool>()}, {"and", MPI_LAND});
  list.add({"bool", MPI_C_BOOL, plain_kind<bool>()}, {"xor", MPI_LXOR});
  list.add_real<float>("float", MPI_FLOAT);
  list.add_real<double>("double", MPI_DOUBLE);
  list.add_real<long double>("long double", MPI_LONG_DOUBLE);
  list.add_complex<std::complex<float>>("float complex", MPI_C_FLOAT_COMPLEX);
  list.add_complex<std::complex<double>>("double complex", MPI_C_DOUBLE_COMPLEX);
  list.add_located<short>("short-int pair", MPI_SHORT_INT);
  list.add_located<int>("two ints", MPI_2INT);
  list.add_located<double>("double-int pair", MPI_DOUBLE_INT);
  list.add_located<long>("long-int pair", MPI_LONG_INT);
  list.add_located<long double>("long-double-int pair", MPI_LONG_DOUBLE_INT);
  list.add_users();
  return list.take();
}

int foreign_datatypes() {
  return foreign;
}

void expect_datatype(MPI_Datatype type) {
  expected = type;
}

}  // namespace postage
