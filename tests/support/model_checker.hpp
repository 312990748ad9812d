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

#include "support/model_state.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
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
  using Value = ModelState::Value;
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
    find_or_add(first);
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

  using State = ModelState;

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

  std::size_t find_or_add(State state) {
    const auto [entry, is_new] = numbers_.emplace(std::move(state), states_.size());
    if (is_new) {
      states_.push_back(&entry->first);
      predecessors_.emplace_back();
    }
    return entry->second;
  }

  void arrive(std::size_t from, State state) { predecessors_[find_or_add(std::move(state))].push_back(from); }

  void expand(std::size_t number, Result& result) {
    bool all_done = true;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      State state = *states_[number];
      try {
        const Next next = next_of(thread, state.history[thread]);
        all_done = all_done && next.done && state.buffers[thread].empty();
        if (!next.done) {
          step(number, std::move(state), thread, next.access);
        }
      } catch (const Violation& violation) {
        result.violation = violation.what();
        return;
      }
      flush_each(number, thread);
    }
    if (all_done) {
      ends_.push_back(number);
      ++result.ends;
    }
  }

  void step(std::size_t from, State state, std::size_t thread, const Access& access) {
    std::vector<Value>& history = state.history[thread];
    switch (access.kind) {
      case Access::Kind::kLoad:
        history.push_back(state.seen(thread, access.word));
        break;
      case Access::Kind::kStore:
        if (state.buffers[thread].size() == kBufferedStores) {
          return;
        }
        state.buffers[thread].push_back({access.word, access.value, access.released && honours_release});
        history.push_back(0);
        break;
      case Access::Kind::kModify: {
        state.flush(thread);
        Value& word = state.memory[access.word];
        history.push_back(word);
        word = access.modify(word);
        break;
      }
      case Access::Kind::kBarrier:
        for (std::size_t other = 0; barriers_work && other < threads_.size(); ++other) {
          state.flush(other);
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
    arrive(from, std::move(state));
  }

  void flush_each(std::size_t from, std::size_t thread) {
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
        arrive(from, std::move(state));
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
  std::unordered_map<State, std::size_t, ModelState::Hash> numbers_;
  std::vector<const State*> states_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::size_t> ends_;
};

}  // namespace postage::test
