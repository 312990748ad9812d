#pragma once

#include <postage/base/units.hpp>
#include <postage/preload/entries.hpp>
#include <postage/shm/direct_group.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

namespace postage::preload {

/// What may carry a collective out where all ranks share a node.
enum class Candidate : std::uint8_t {
  kUnknown,     ///< not found out: what is built in decides
  kLibrary,     ///< the MPI library's own
  kSlots,       ///< through slots of shared memory, in pieces
  kSingleCopy,  ///< by the receiver, out of the owner's memory
};
inline constexpr std::size_t kCandidates = 4;

/// As statistics call it.
[[nodiscard]] constexpr const char* name_of(Candidate candidate) {
  constexpr std::array kNames{"direct", "library", "slots", "single-copy"};
  return kNames[static_cast<std::size_t>(candidate)];
}

/// Shorter data are always copied: a system call for them takes longer.
inline constexpr Bytes kLeastSingleCopied = (Bytes{4} << 10) + 1;

/// DirectOptions::copied_bytes for what probes found to be faster.
[[nodiscard]] constexpr Bytes copied_bytes(Candidate candidate) {
  return candidate == Candidate::kSlots ? std::numeric_limits<Bytes>::max() : kLeastSingleCopied - 1;
}

/// Of sizes that are decided on together: from above half a power of two to it; all above 4 MiB are in one class.
class ProbedClass {
 public:
  static constexpr int kClasses = 24;

  explicit constexpr ProbedClass(Bytes bytes)
      : number_(bytes <= 1
                    ? 0
                    : std::min(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes - 1))), kClasses - 1)) {
  }
  [[nodiscard]] constexpr int number() const { return number_; }
  /// Of the last class, of which more are.
  [[nodiscard]] static constexpr Bytes last_of(int number) { return Bytes{1} << number; }
  [[nodiscard]] static constexpr Bytes first_of(int number) { return number == 0 ? 0 : (Bytes{1} << (number - 1)) + 1; }

 private:
  int number_;
};

/// What each collective of each class is carried out by, on the communicators of some ranks.
struct Choices {
  std::array<std::array<Candidate, ProbedClass::kClasses>, kCollectiveEntries> by_entry{};

  [[nodiscard]] Candidate& of(Entry entry, int size_class) {
    return by_entry[static_cast<std::size_t>(entry)][static_cast<std::size_t>(size_class)];
  }
  [[nodiscard]] Candidate of(Entry entry, int size_class) const {
    return by_entry[static_cast<std::size_t>(entry)][static_cast<std::size_t>(size_class)];
  }
};

}  // namespace postage::preload
