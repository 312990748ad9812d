// cost() is asked for every message of every schedule: it must not allocate.
#include <postage/model/model.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

namespace {

std::size_t allocations = 0;

}  // namespace

// Not inlined: GCC would see one of a pair without the other, and complain of a mismatch.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes > 0 ? bytes : 1)) {
    return memory;
  }
  throw std::bad_alloc();
}

[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
  ++allocations;
  return std::malloc(bytes > 0 ? bytes : 1);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace postage {
namespace {

TEST(Cost, AllocatesNothing) {
  for (const ModelDescriptor* description : models()) {
    const ParameterTable table = parse_parameters(description->name, description->example);
    const Model model = build_model(table, channels_of(table));
    const std::size_t before = allocations;
    Seconds sum = 0;
    for (const Bytes bytes : {Bytes{0}, Bytes{1000}, Bytes{1} << 20}) {
      sum += cost(model, {.source = 0, .target = 1, .bytes = bytes, .concurrency = 3}).total();
      sum += combine_cost(model, bytes);
    }
    EXPECT_EQ(allocations, before) << description->name;
    EXPECT_GT(sum, 0) << description->name;
  }
  EXPECT_GT(allocations, 0U);
}

}  // namespace
}  // namespace postage
