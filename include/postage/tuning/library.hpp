#pragma once

#include <postage/schedule/algorithms.hpp>

#include <compare>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// What a decision table is made for.
enum class TuningTarget { kOpenMpi, kMpich, kUcc, kIntelMpi, kSmpi, kPreload };

/// "openmpi", "mpich", "ucc", "intel", "smpi", "preload" and back; parse_tuning_target throws UsageError listing the
/// valid names.
[[nodiscard]] std::string_view name_of(TuningTarget target);
[[nodiscard]] TuningTarget parse_tuning_target(std::string_view name);

/// A library's release.
struct LibraryVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;
  auto operator<=>(const LibraryVersion&) const = default;
};

/// True where they differ in patches alone, which change neither algorithms nor what names them.
[[nodiscard]] inline bool is_same_release(const LibraryVersion& a, const LibraryVersion& b) {
  return a.major == b.major && a.minor == b.minor;
}

/// Reads "4.1.4", "4.0", "5.0.7rc1" or "2021.10" (what is missing is 0, what follows the numbers is left out). Throws
/// UsageError.
[[nodiscard]] LibraryVersion parse_library_version(std::string_view text);
/// "4.1.4".
[[nodiscard]] std::string format_version(const LibraryVersion& version);

/// Beside an algorithm's own RankRule: numbers of ranks for which a library has the algorithm.
enum class LibraryRankRule { kAny, kPowerOfTwo, kNoPowerOfTwo, kEven, kTwo };

/// One algorithm of a library, and the schedule here that does the same. Data: one list a library, in
/// src/tuning/libraries.
struct LibraryAlgorithm {
  Collective collective = Collective::kBcast;
  /// The schedule's algorithm, as `find_algorithm` knows it; empty where there is none, so that the library's cannot be
  /// predicted or recommended.
  std::string_view ours;
  /// The library's number; -1 where it has names only.
  int number = -1;
  /// The library's name: of Open MPI's enumeration, MPICH's CVAR value, UCC's @alg, SMPI's --cfg value.
  std::string_view name;
  /// The first release that has it, and the first that no longer does.
  LibraryVersion since{};
  LibraryVersion before{1 << 20, 0, 0};
  /// Which numbers of ranks it may be asked for. Elsewhere the library does something else, or aborts.
  LibraryRankRule ranks = LibraryRankRule::kAny;
  /// The user sets the segment.
  bool takes_segment = false;
  /// The schedule's parameter that the library's fan-out (or radix) sets; empty where it has none.
  std::string_view fan_out{};
  /// What the library always uses: bytes of a segment (0: whole messages), values of the schedule's parameters.
  Bytes fixed_segment = 0;
  ParameterValues fixed_parameters{};
  /// Messages below this many elements per rank get another algorithm from the library, silently.
  Index least_elements_per_rank = 0;
  /// How the library's own code calls MPI, or what is under it.
  Calls calls = Calls::kOverlapping;
  /// Sets what the library chooses by itself for the ranks and bytes of a request, a segment or a fan-out; nullptr
  /// where it chooses nothing.
  void (*decides)(ScheduleRequest& request) = nullptr;
};

/// Every algorithm of a target, of all releases; empty for kPreload, which has the schedules themselves.
[[nodiscard]] std::span<const LibraryAlgorithm> library_algorithms(TuningTarget target);

/// Those of one collective in one release that have a schedule here.
[[nodiscard]] std::vector<const LibraryAlgorithm*> known_algorithms(TuningTarget target, const LibraryVersion& version,
                                                                    Collective collective);

/// The library's algorithm by its own name, or by the schedule's if no name is given, that can do so many ranks (0:
/// any); nullptr where it has none in this release.
[[nodiscard]] const LibraryAlgorithm* find_library_algorithm(TuningTarget target, const LibraryVersion& version,
                                                             Collective collective, std::string_view library_name,
                                                             std::string_view ours = {}, Rank ranks = 0);

/// True where the library has the algorithm for this number of ranks.
[[nodiscard]] bool can_do(const LibraryAlgorithm& algorithm, Rank ranks);

}  // namespace postage
