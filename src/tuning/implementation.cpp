#include <postage/tuning/implementation.hpp>

#include <array>
#include <utility>

namespace postage {
namespace {

constexpr std::array<std::pair<std::string_view, TuningTarget>, 4> kBeginnings{{
    {"Open MPI", TuningTarget::kOpenMpi},
    {"MPICH", TuningTarget::kMpich},
    {"Intel", TuningTarget::kIntelMpi},
    {"SMPI", TuningTarget::kSmpi},
}};

/// The numbers and dots at the beginning; a dot at their end is a sentence's.
std::string_view numbers_of(std::string_view text) {
  text = text.substr(0, text.find_first_not_of("0123456789."));
  return text.substr(0, text.find_last_not_of('.') + 1);
}

}  // namespace

std::optional<LibraryRelease> library_of(std::string_view implementation) {
  for (const auto& [beginning, target] : kBeginnings) {
    if (implementation.starts_with(beginning)) {
      const auto digit = implementation.find_first_of("0123456789");
      return digit == std::string_view::npos
                 ? std::nullopt
                 : std::optional(
                       LibraryRelease{target, parse_library_version(numbers_of(implementation.substr(digit)))});
    }
  }
  return std::nullopt;
}

}  // namespace postage
