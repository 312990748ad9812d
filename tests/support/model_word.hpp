#pragma once

#include "support/model_checker.hpp"

#include <atomic>
#include <cstdint>
#include <functional>

namespace postage::test {

/// A word of a checker's memory, with the interface of std::atomic<T> as far as shared memory uses it.
template <typename T>
class ModelWord {
 public:
  explicit ModelWord(std::size_t word = 0) : word_(word) {}

  [[nodiscard]] T load(std::memory_order) const {
    return static_cast<T>(ModelChecker::access({.kind = Kind::kLoad, .word = word_}));
  }
  void store(T value, std::memory_order order) {
    ModelChecker::access(
        {.kind = Kind::kStore, .word = word_, .value = value, .released = order != std::memory_order_relaxed});
  }
  T exchange(T value, std::memory_order) {
    return modify([value](std::uint64_t) -> std::uint64_t { return value; });
  }
  T fetch_add(T value, std::memory_order) {
    return modify([value](std::uint64_t old) -> std::uint64_t { return static_cast<T>(old + value); });
  }
  T fetch_or(T value, std::memory_order) {
    return modify([value](std::uint64_t old) -> std::uint64_t { return old | value; });
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order) {
    const T old =
        modify([expected, desired](std::uint64_t now) -> std::uint64_t { return now == expected ? desired : now; });
    const bool same = old == expected;
    expected = old;
    return same;
  }
  void await_change(T seen) const { ModelChecker::access({.kind = Kind::kAwaitChange, .word = word_, .value = seen}); }

 private:
  using Kind = ModelChecker::Access::Kind;

  T modify(const std::function<std::uint64_t(std::uint64_t)>& change) {
    return static_cast<T>(ModelChecker::access({.kind = Kind::kModify, .word = word_, .modify = change}));
  }

  std::size_t word_;
};

}  // namespace postage::test
