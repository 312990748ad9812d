#pragma once

#include "preload/statistics/size_class.hpp"

#include <postage/preload/observer.hpp>

#include <array>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace postage::preload {

/// Calls that are counted together.
struct CallKey {
  Entry entry = Entry::kBarrier;
  int size_class = 0;
  std::string algorithm{};  ///< empty: the library's own
  auto operator<=>(const CallKey&) const = default;
};

struct CallTotals {
  std::uint64_t calls = 0;
  Bytes bytes = 0;
  Seconds seconds = 0;  ///< between call and return, so with what a rank waits for others

  void add(const CallTotals& other);
};

struct MessageTotals {
  std::uint64_t messages = 0;
  Bytes bytes = 0;
};

/// Messages by size class.
using MessageSizes = std::array<MessageTotals, SizeClass::kClasses>;

/// What a program did with MPI: of one rank, or of all of them together.
struct Counts {
  std::map<CallKey, CallTotals> calls{};
  /// Sent by the program.
  MessageSizes point_to_point{};
  /// Of collectives: one to each other rank in alltoall(v) and allgather(v), one of the call's size in the others.
  MessageSizes collective{};
  Seconds program = 0;  ///< from the end of MPI_Init to MPI_Finalize
  Seconds communication = 0;

  void add(const Counts& other);
};

/// Counts one rank's calls. Threads may call it at a time.
class Profile {
 public:
  void count(const CallEvent& event);
  [[nodiscard]] Counts counts() const;

 private:
  void count_messages(const CallEvent& event);
  void count_collective_messages(const CallEvent& event);
  void count_point_to_point(const CallEvent& event);

  mutable std::mutex mutex_;
  Counts counts_;
  std::unordered_map<std::uint64_t, Bytes> persistent_sends_;  ///< bytes by request
};

/// Counts as text and back: what ranks send to the one that prints.
[[nodiscard]] std::string text_of(const Counts& counts);
[[nodiscard]] Counts counts_of(const std::string& text);

}  // namespace postage::preload
