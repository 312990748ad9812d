#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace postage::test {

/// A state of the model checker: memory, what each thread has seen of it, and stores that are not visible yet.
struct ModelState {
  using Value = std::uint64_t;

  struct Store {
    std::size_t word;
    Value value;
    bool released;
    bool operator==(const Store&) const = default;
  };

  std::vector<Value> memory;
  std::vector<std::vector<Value>> history;  ///< by thread: results of its accesses
  std::vector<std::vector<Store>> buffers;  ///< by thread, oldest first
  bool operator==(const ModelState&) const = default;

  /// What a thread reads: its own latest store, or memory.
  [[nodiscard]] Value seen(std::size_t thread, std::size_t word) const {
    const auto& buffer = buffers[thread];
    for (auto store = buffer.rbegin(); store != buffer.rend(); ++store) {
      if (store->word == word) {
        return store->value;
      }
    }
    return memory[word];
  }

  /// Makes all stores of a thread visible.
  void flush(std::size_t thread) {
    for (const Store& store : buffers[thread]) {
      memory[store.word] = store.value;
    }
    buffers[thread].clear();
  }

  struct Hash {
    std::size_t operator()(const ModelState& state) const {
      std::size_t hash = 14695981039346656037ULL;
      const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 1099511628211ULL; };
      for (const Value value : state.memory) {
        mix(value);
      }
      for (const auto& history : state.history) {
        mix(history.size() + 7);
        for (const Value value : history) {
          mix(value);
        }
      }
      for (const auto& buffer : state.buffers) {
        mix(buffer.size() + 77);
        for (const Store& store : buffer) {
          mix(store.word);
          mix(store.value);
        }
      }
      return hash;
    }
  };
};

}  // namespace postage::test
