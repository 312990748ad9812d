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

}  // namespace

std::optional<LibraryRelease> library_of(std::string_view implementation) {
  for (const auto& [beginning, target] : kBeginnings) {
    if (implementation.starts_with(beginning)) {
      const auto digit = implementation.find_first_of("0123456789");
      return digit == std::string_view::npos
                 ? std::nullopt
                 : std::optional(LibraryRelease{target, parse_library_version(implementation.substr(digit))});
    }
  }
  return std::nullopt;
}

}  // namespace postage
