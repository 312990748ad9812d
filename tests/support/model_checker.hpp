#pragma once

// A small explicit-state model checker for code that shares memory: it tries every order in which the steps of a few
// threads can happen. A step is one access to a shared word, or a store becoming visible to the others.
//
// Memory is weaker than that of the machines we know to run on: a store waits in its thread's buffer; buffered stores
// of different words become visible in any order, except that a released one becomes visible after all before it. A
// thread sees its own stores at once, and buffers five at most. Loads happen in order. Read-modify-writes happen on
// memory, after the thread's buffer is empty.
//
// A thread is a function that is called anew for each of its steps, with the results of its earlier accesses, and stops
// at the first one that has no result yet: so it must depend on nothing else, and keep all its state in local
// variables.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace postage::test {

/// Thrown by a thread whose assertion does not hold.
class Violation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class ModelChecker {
 public:
  using Value = std::uint64_t;
  using Thread = std::function<void()>;

  struct Result {
    std::size_t states = 0;
    std::size_t ends = 0;   ///< states in which all threads are done
    std::string violation;  ///< empty if there is none
  };

  /// What a pending access does.
  struct Access {
    enum class Kind { kLoad, kStore, kModify, kBarrier, kAwaitChange };
    Kind kind = Kind::kLoad;
    std::size_t word = 0;
    Value value = 0;  ///< stored, or the one that kAwaitChange waits to see gone
    bool released = false;
    std::function<Value(Value)> modify{};
  };

  ModelChecker(std::size_t words, std::vector<Thread> threads) : words_(words), threads_(std::move(threads)) {}

  /// Whether releases order anything: false finds out what a missing one would do.
  bool honours_release = true;
  bool barriers_work = true;
  std::size_t most_states = 5'000'000;

  [[nodiscard]] Result run() {
    State first;
    first.memory.assign(words_, 0);
    first.history.resize(threads_.size());
    first.buffers.resize(threads_.size());
    Result result;
    static_cast<void>(find_or_add(first, result));
    for (std::size_t i = 0; i < states_.size() && result.violation.empty(); ++i) {
      if (states_.size() > most_states) {
        result.violation = "more states than the limit";
        break;
      }
      expand(i, result);
    }
    result.states = states_.size();
    if (result.violation.empty()) {
      check_all_can_end(result);
    }
    return result;
  }

  /// Called by the words of a model; only within a thread.
  static Value access(const Access& access) {
    Replay& replay = *current();
    if (replay.position < replay.history->size()) {
      return (*replay.history)[replay.position++];
    }
    throw Pause{access};
  }

  /// Calls `look` until it gives something that is true. A look that gives nothing counts as not having happened: the
  /// thread waits until memory has changed.
  template <typename Look>
  static auto until(const Look& look) {
    for (;;) {
      const std::size_t mark = current()->position;
      if (auto found = look()) {
        return found;
      }
      throw Retry{mark};
    }
  }

 private:
  static constexpr std::size_t kBufferedStores = 5;

  struct Store {
    std::size_t word;
    Value value;
    bool released;
    bool operator==(const Store&) const = default;
  };

  struct State {
    std::vector<Value> memory;
    std::vector<std::vector<Value>> history;  ///< by thread: results of its accesses
    std::vector<std::vector<Store>> buffers;  ///< by thread, oldest first
    bool operator==(const State&) const = default;
  };

  struct Hash {
    std::size_t operator()(const State& state) const {
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

  struct Pause {
    Access access;
  };
  struct Retry {
    std::size_t mark;
  };
  struct Replay {
    const std::vector<Value>* history = nullptr;
    std::size_t position = 0;
  };

  static Replay*& current() {
    static thread_local Replay* replay = nullptr;
    return replay;
  }

  /// What a thread does next; nothing if it is done. A look in vain is taken back, and the thread stands before it.
  struct Next {
    bool done = false;
    Access access{};
  };
  Next next_of(std::size_t thread, std::vector<Value>& history) {
    for (;;) {
      Replay replay{&history, 0};
      current() = &replay;
      try {
        threads_[thread]();
        return {.done = true};
      } catch (const Pause& pause) {
        return {.access = pause.access};
      } catch (const Retry& retry) {
        history.resize(retry.mark);
      }
    }
  }

  std::size_t find_or_add(State state, Result& result) {
    const auto [place, is_new] = numbers_.emplace(std::move(state), states_.size());
    if (is_new) {
      states_.push_back(&place->first);
      predecessors_.emplace_back();
      static_cast<void>(result);
    }
    return place->second;
  }

  void arrive(std::size_t from, State state, Result& result) {
    const std::size_t to = find_or_add(std::move(state), result);
    predecessors_[to].push_back(from);
  }

  void expand(std::size_t number, Result& result) {
    bool all_done = true;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      State state = *states_[number];
      try {
        const Next next = next_of(thread, state.history[thread]);
        all_done = all_done && next.done && state.buffers[thread].empty();
        if (!next.done) {
          step(number, std::move(state), thread, next.access, result);
        }
      } catch (const Violation& violation) {
        result.violation = violation.what();
        return;
      }
      flush_each(number, thread, result);
    }
    if (all_done) {
      ends_.push_back(number);
      ++result.ends;
    }
  }

  void step(std::size_t from, State state, std::size_t thread, const Access& access, Result& result) {
    std::vector<Value>& history = state.history[thread];
    switch (access.kind) {
      case Access::Kind::kLoad:
        history.push_back(seen(state, thread, access.word));
        break;
      case Access::Kind::kStore:
        if (state.buffers[thread].size() == kBufferedStores) {
          return;
        }
        state.buffers[thread].push_back({access.word, access.value, access.released && honours_release});
        history.push_back(0);
        break;
      case Access::Kind::kModify: {
        flush_all(state, thread);
        Value& word = state.memory[access.word];
        history.push_back(word);
        word = access.modify(word);
        break;
      }
      case Access::Kind::kBarrier:
        for (std::size_t other = 0; barriers_work && other < threads_.size(); ++other) {
          flush_all(state, other);
        }
        history.push_back(0);
        break;
      case Access::Kind::kAwaitChange:
        if (state.memory[access.word] == access.value) {
          return;
        }
        history.push_back(0);
        break;
    }
    arrive(from, std::move(state), result);
  }

  static Value seen(const State& state, std::size_t thread, std::size_t word) {
    const auto& buffer = state.buffers[thread];
    for (auto store = buffer.rbegin(); store != buffer.rend(); ++store) {
      if (store->word == word) {
        return store->value;
      }
    }
    return state.memory[word];
  }

  static void flush_all(State& state, std::size_t thread) {
    for (const Store& store : state.buffers[thread]) {
      state.memory[store.word] = store.value;
    }
    state.buffers[thread].clear();
  }

  void flush_each(std::size_t from, std::size_t thread, Result& result) {
    const std::size_t waiting = states_[from]->buffers[thread].size();
    for (std::size_t i = 0; i < waiting; ++i) {
      const auto& buffer = states_[from]->buffers[thread];
      bool may_go = !buffer[i].released || i == 0;
      for (std::size_t before = 0; before < i; ++before) {
        may_go = may_go && buffer[before].word != buffer[i].word;
      }
      if (may_go) {
        State state = *states_[from];
        state.memory[buffer[i].word] = buffer[i].value;
        state.buffers[thread].erase(state.buffers[thread].begin() + static_cast<std::ptrdiff_t>(i));
        arrive(from, std::move(state), result);
      }
    }
  }

  /// A state from which no order of steps leads to the end is a deadlock, or leads to one.
  void check_all_can_end(Result& result) const {
    std::vector<bool> can_end(states_.size(), false);
    std::vector<std::size_t> open = ends_;
    for (const std::size_t end : ends_) {
      can_end[end] = true;
    }
    while (!open.empty()) {
      const std::size_t state = open.back();
      open.pop_back();
      for (const std::size_t before : predecessors_[state]) {
        if (!can_end[before]) {
          can_end[before] = true;
          open.push_back(before);
        }
      }
    }
    for (std::size_t state = 0; state < states_.size(); ++state) {
      if (!can_end[state]) {
        result.violation = "threads that wait for ever";
        return;
      }
    }
  }

  std::size_t words_;
  std::vector<Thread> threads_;
  std::unordered_map<State, std::size_t, Hash> numbers_;
  std::vector<const State*> states_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::size_t> ends_;
};

/// A word of a checker's memory, with the interface of std::atomic<T> as far as the channel uses it.
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
