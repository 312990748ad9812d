#include "tuning/libraries/lists.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/library.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

namespace postage {
namespace {

constexpr std::array<std::pair<TuningTarget, std::string_view>, 6> kTargets{{{TuningTarget::kOpenMpi, "openmpi"},
                                                                             {TuningTarget::kMpich, "mpich"},
                                                                             {TuningTarget::kUcc, "ucc"},
                                                                             {TuningTarget::kIntelMpi, "intel"},
                                                                             {TuningTarget::kSmpi, "smpi"},
                                                                             {TuningTarget::kPreload, "preload"}}};

/// The number that the text begins with, taken off it; -1 where there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) {
    return -1;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// What releases and packages add to their numbers: 5.0.7rc1, 4.2b1, 4.1.4-3, 2.3.7.1. A number that is cut off and
/// 1e999 are none.
bool may_follow_version(std::string_view rest) {
  constexpr std::array<std::string_view, 12> kSuffixes{"a", "b", "rc", "p", "dev", "git", "-", "+", "~", "_", " ", ","};
  return rest.empty() || (rest.size() > 1 && rest.front() == '.') ||
         std::ranges::any_of(kSuffixes, [&](std::string_view suffix) { return rest.starts_with(suffix); });
}

bool is_in(const LibraryAlgorithm& algorithm, const LibraryVersion& version) {
  return algorithm.since <= version && version < algorithm.before;
}

}  // namespace

std::string_view name_of(TuningTarget target) {
  for (const auto& [known, name] : kTargets) {
    if (known == target) {
      return name;
    }
  }
  return "";
}

TuningTarget parse_tuning_target(std::string_view name) {
  std::string valid;
  for (const auto& [target, known] : kTargets) {
    if (known == name) {
      return target;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(unknown_name("library", std::string(name), valid));
}

LibraryVersion parse_library_version(std::string_view text) {
  LibraryVersion version;
  std::string_view rest = text;
  version.major = take_number(rest);
  for (int* const part : {&version.minor, &version.patch}) {
    if (rest.starts_with(".x")) {
      rest.remove_prefix(2);
    } else if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      *part = take_number(rest);
    }
  }
  if (std::min({version.major, version.minor, version.patch}) < 0 || !may_follow_version(rest)) {
    throw UsageError(fmt::format("'{}' is not a version; write one like 4.1.4", text));
  }
  return version;
}

std::string format_version(const LibraryVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

std::span<const LibraryAlgorithm> library_algorithms(TuningTarget target) {
  static const std::vector<LibraryAlgorithm> open_mpi = library_lists::open_mpi();
  static const std::vector<LibraryAlgorithm> mpich = library_lists::mpich();
  static const std::vector<LibraryAlgorithm> ucc = library_lists::ucc();
  static const std::vector<LibraryAlgorithm> intel_mpi = library_lists::intel_mpi();
  static const std::vector<LibraryAlgorithm> smpi = library_lists::smpi();
  switch (target) {
    case TuningTarget::kOpenMpi:
      return open_mpi;
    case TuningTarget::kMpich:
      return mpich;
    case TuningTarget::kUcc:
      return ucc;
    case TuningTarget::kIntelMpi:
      return intel_mpi;
    case TuningTarget::kSmpi:
      return smpi;
    case TuningTarget::kPreload:
      break;
  }
  return {};
}

std::vector<const LibraryAlgorithm*> known_algorithms(TuningTarget target, const LibraryVersion& version,
                                                      Collective collective) {
  std::vector<const LibraryAlgorithm*> known;
  for (const LibraryAlgorithm& algorithm : library_algorithms(target)) {
    if (algorithm.collective == collective && !algorithm.ours.empty() && is_in(algorithm, version)) {
      known.push_back(&algorithm);
    }
  }
  return known;
}

const LibraryAlgorithm* find_library_algorithm(TuningTarget target, const LibraryVersion& version,
                                               Collective collective, std::string_view library_name,
                                               std::string_view ours, Rank ranks) {
  for (const LibraryAlgorithm& algorithm : library_algorithms(target)) {
    const bool is_named = library_name.empty() ? algorithm.ours == ours : algorithm.name == library_name;
    if (algorithm.collective == collective && is_named && is_in(algorithm, version) &&
        (ranks == 0 || can_do(algorithm, ranks))) {
      return &algorithm;
    }
  }
  return nullptr;
}

bool can_do(const LibraryAlgorithm& algorithm, Rank ranks) {
  const bool is_power = ranks > 0 && std::has_single_bit(static_cast<std::uint32_t>(ranks));
  switch (algorithm.ranks) {
    case LibraryRankRule::kPowerOfTwo:
      return is_power;
    case LibraryRankRule::kNoPowerOfTwo:
      return !is_power;
    case LibraryRankRule::kEven:
      return ranks % 2 == 0;
    case LibraryRankRule::kTwo:
      return ranks == 2;
    case LibraryRankRule::kAny:
      break;
  }
  return true;
}

}  // namespace postage
